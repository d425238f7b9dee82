"""Keys for models: from the environment or the keyring, to the right endpoint, and only where nobody can listen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom.agents.llm import LlmAgent
from starloom.devices.llm.key import NO_KEY, OPENAI, VARIABLE, check_url, find_key
from starloom.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Callable

keyring = pytest.importorskip("keyring")
errors = pytest.importorskip("keyring.errors")
HERE = "http://127.0.0.1:11434/v1"
FAR = "https://models.example.org/v1"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(keyring, "get_password", lambda *_: None)


def holding(known: dict[tuple[str, str], str]) -> Callable[[str, str], str | None]:
    return lambda service, user: known.get((service, user))


def test_an_endpoint_gets_the_key_that_the_keyring_has_for_its_host(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keyring, "get_password", holding({("starloom-agent", "models.example.org"): "k"}))
    assert find_key(FAR) == "k"
    assert find_key("https://other.example.org/v1") == NO_KEY


def test_the_environment_goes_before_the_keyring(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keyring, "get_password", holding({("starloom-agent", "models.example.org"): "k"}))
    monkeypatch.setenv(VARIABLE, "e")
    assert find_key(FAR) == "e"


def test_the_key_that_is_meant_for_one_endpoint_goes_to_no_other(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "o")
    assert [find_key(url) for url in (OPENAI, FAR, HERE)] == ["o", NO_KEY, NO_KEY]


def test_a_keyring_that_is_locked_is_no_keyring(monkeypatch: pytest.MonkeyPatch):
    def locked(*_: str) -> str:
        raise errors.KeyringLocked("locked")

    monkeypatch.setattr(keyring, "get_password", locked)
    assert find_key(FAR) == NO_KEY


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:8/v1", FAR])
def test_a_key_travels_encrypted_or_not_at_all(monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv(VARIABLE, "e")
    assert find_key(url) == "e"


@pytest.mark.parametrize("url", ["http://models.example.org/v1", "http://10.0.0.1/v1", "http://127.0.0.1.org/v1"])
def test_a_key_is_not_sent_where_others_can_read_it(monkeypatch: pytest.MonkeyPatch, url: str):
    assert find_key(url) == NO_KEY
    monkeypatch.setenv(VARIABLE, "e")
    with pytest.raises(AgentError, match="would travel unencrypted; use an https address"):
        find_key(url)


@pytest.mark.parametrize("url", ["", "model", "ftp://x/v1", "http://", "http://x:99999999/v1", "http://[x/v1"])
def test_an_address_that_is_none_is_refused(url: str):
    with pytest.raises(AgentError, match="is not the address of an endpoint"):
        check_url(url)


@pytest.mark.parametrize("url", ["https://me:secret@example.org/v1", "https://example.org/v1?key=secret"])
def test_an_address_holds_no_secret_and_the_refusal_does_not_repeat_it(url: str):
    with pytest.raises(AgentError, match="put the key into the keyring") as refusal:
        LlmAgent("m", url)
    assert "secret" not in str(refusal.value)


def test_a_model_has_to_be_named():
    with pytest.raises(AgentError, match="no model is named"):
        LlmAgent("", FAR)
