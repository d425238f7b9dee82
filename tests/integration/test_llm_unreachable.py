"""Endpoints that cannot be reached: the address, the cause and what to do are told, wherever it is noticed."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.integration.acp_harness import Context
from tests.integration.chat_server import answer, chat_server
from tests.integration.llm_harness import alone as alone
from tests.integration.llm_harness import device
from tests.integration.local_harness import BOUND

from starloom.devices.llm import LlmDevice
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, Outcome
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("openai")


def refusal(url: str, **options: Any) -> str:
    """Why it cannot be connected."""
    with pytest.raises(DeviceError) as caught:
        asyncio.run(LlmDevice("dev", model="m", url=url, **options).connect())
    return str(caught.value)


def with_server(
    do: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any],
    see: Callable[[int], str],
    tls: ssl.SSLContext | None = None,
) -> str:
    """What is seen of a server on loopback that treats its clients so."""

    async def scenario() -> str:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            do(reader, writer)
            await reader.read()
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as there:
            return await asyncio.to_thread(see, there.sockets[0].getsockname()[1])

    return asyncio.run(scenario())


def test_one_that_refuses() -> None:
    said = refusal("http://127.0.0.1:1/v1")
    assert said == (
        "Device 'dev': http://127.0.0.1:1/v1 cannot be reached: Connection refused. Start it, or correct its address."
    )


def test_a_machine_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: Any, **_more: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert refusal("https://nowhere.example/v1").endswith(
        "https://nowhere.example/v1 cannot be reached: no machine is known by the name nowhere.example (Name or "
        "service not known). Correct the name, or check the network."
    )


def test_one_that_speaks_no_tls() -> None:
    said = with_server(
        lambda _, writer: writer.write(b"HTTP/1.1 400 no\r\n\r\n"), lambda port: refusal(f"https://127.0.0.1:{port}/v1")
    )
    assert re.search(r"What answers at https://127\.0\.0\.1:\d+/v1 speaks no TLS \(.*\)\. Correct the port, or", said)


def test_one_whose_certificate_nobody_here_trusts(tmp_path: Path) -> None:
    said = with_server(lambda *_: None, lambda port: refusal(f"https://127.0.0.1:{port}/v1"), own_certificate(tmp_path))
    assert re.search(
        r"The certificate of https://\S+ is not trusted here: self.signed certificate\. Add its auth", said
    )
    assert "SSL_CERT_FILE" in said


def own_certificate(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "box")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    (folder / "cert").write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert")
    return context


def test_one_that_does_not_answer() -> None:
    said = with_server(lambda *_: None, lambda port: refusal(f"http://127.0.0.1:{port}/v1", silence=0.2))
    assert re.search(r"'dev': http://\S+ cannot be reached: no answer within 0\.2 s\. Check that it runs", said)


def test_one_that_goes_away_after_it_was_connected() -> None:
    async def scenario() -> Outcome:
        async with asyncio.timeout(BOUND):
            async with chat_server(answer("ok")) as there:
                made = device(there)
                await made.connect()
            try:
                return await made.run(Task(id="t", prompt="hello"), Context())
            finally:
                await made.disconnect()

    outcome = asyncio.run(scenario())
    assert outcome.result.error is not None
    assert (outcome.result.error.code, outcome.device_failed) == (ErrorCode.START_FAILED, True)
    assert "cannot be reached: Connection refused. Start it, or correct its address." in outcome.result.error.message
