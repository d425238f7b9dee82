"""Laws of masking: however a stream is cut into pieces, no value of a secret is seen, and nothing else is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from starloom.devices.masking import MASK, SecretValues, StreamMask

# Few letters, so that values overlap with their own beginnings and with each other.
VALUES = st.lists(st.text("ab1", min_size=4, max_size=9), min_size=1, max_size=3)
PIECES = st.lists(st.text("ab1 \n", max_size=8), max_size=12)


def streamed(values: SecretValues, pieces: list[bytes]) -> bytes:
    mask = StreamMask(values)
    return b"".join([*map(mask.feed, pieces), mask.close()])


@given(VALUES, PIECES, st.data())
def test_a_stream_is_masked_as_its_whole_text_is(secrets: list[str], pieces: list[str], data: st.DataObject) -> None:
    values = SecretValues(secrets)
    text = "".join(part for piece in pieces for part in (piece, data.draw(st.sampled_from(["", *secrets]))))
    whole = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    cut = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    told = streamed(values, cut).decode()
    assert told == values.mask(text)
    assert not [one for one in secrets if one in told]


@given(VALUES, st.text("cde \n", max_size=50))
def test_what_holds_no_value_stays_as_it_is(secrets: list[str], text: str) -> None:
    assert streamed(SecretValues(secrets), [bytes([byte]) for byte in text.encode()]).decode() == text


@given(st.text(min_size=4, max_size=30).filter(str.strip), st.text(max_size=10), st.text(max_size=10))
def test_a_value_of_any_characters_is_masked(secret: str, before: str, after: str) -> None:
    values = SecretValues([secret])
    told = streamed(values, [bytes([byte]) for byte in f"{before}{secret}{after}".encode()]).decode()
    assert MASK in told
    assert secret not in told or secret in before + after or secret in before + MASK + after
