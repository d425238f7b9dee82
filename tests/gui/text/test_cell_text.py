"""What stands in a cell reads back as the value it was written from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom.model.secret import Secret, environment_value
from starloom_gui.text.cell_text import (
    cell_of_json,
    cell_of_name,
    cell_of_text,
    cell_of_variable,
    json_of_cell,
    lines_of,
    names_of,
    names_text,
    pasted_rows,
    rows_of,
    text_of_cell,
    variable_of_cell,
)

TEXTS = st.text() | st.sampled_from(
    ["", '""', '"a"', "a,b", " a", "{x", "[", "5", "null", "a\tb", "a\nb", "{secret: env:X}"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=8,
)


@given(TEXTS)
def test_a_text_reads_back_equal_and_stands_in_one_line(words: str) -> None:
    assert text_of_cell(cell_of_text(words)) == words
    assert len(cell_of_text(words).splitlines()) <= 1
    assert "\t" not in cell_of_text(words)
    assert cell_of_name(words)


@given(JSON)
def test_a_json_value_reads_back_equal_and_stands_in_one_line(value: object) -> None:
    cell = cell_of_json(value)
    assert json_of_cell(cell) == value
    assert type(json_of_cell(cell)) is type(value)
    assert len(cell.splitlines()) <= 1


@given(TEXTS)
def test_a_variable_reads_back_equal_even_one_that_looks_like_a_secret(words: str) -> None:
    assert environment_value(variable_of_cell(cell_of_variable(words))) == words


def test_a_secret_stands_as_a_plan_file_names_it() -> None:
    assert cell_of_variable(Secret("keyring:lab")) == "{secret: keyring:lab}"
    assert environment_value(variable_of_cell("{secret: keyring:lab}")) == Secret("keyring:lab")


@given(st.lists(TEXTS))
def test_names_in_a_line_read_back_equal(names: list[str]) -> None:
    names = [name for name in names if name]
    assert names_of(names_text(names)) == names


@given(st.lists(st.tuples(TEXTS, JSON)))
def test_rows_read_back_equal(rows: list[tuple[str, object]]) -> None:
    cells = [(cell_of_name(name), cell_of_json(value)) for name, value in rows]
    assert rows_of(lines_of(cells), 2) == cells


@pytest.mark.parametrize("cell", ["{a: 1}", "[1,", '"open', "{", "NaN x", "1e999"])
def test_what_begins_like_json_and_is_none_is_refused_in_a_sentence_and_other_words_are_text(cell: str) -> None:
    if cell == "NaN x":
        assert json_of_cell(cell) == cell
        return
    with pytest.raises(ValueError, match="JSON"):
        json_of_cell(cell)


def test_a_name_that_stands_in_a_mapping_twice_is_refused_and_none_of_its_values_is_lost() -> None:
    with pytest.raises(ValueError, match="a stands there twice"):
        json_of_cell('[{"a": 1, "b": 2, "a": 3}]')


def test_a_number_that_json_has_not_is_text() -> None:
    assert json_of_cell("NaN") == "NaN"


def test_lines_of_a_shell_are_rows_and_other_text_is_none() -> None:
    assert pasted_rows("export A=1\n# no\n\nB = two = 2\n", 2) == [("A", "1"), ("B", "two = 2")]
    assert pasted_rows("A\t1\nB\t2", 2) == [("A", "1"), ("B", "2")]
    assert pasted_rows("A=1\nand a sentence", 2) == []
    assert pasted_rows("one\ntwo", 1) == [("one",), ("two",)]
