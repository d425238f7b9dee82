"""Finding and replacing in what tasks run: every text of a task, patterns that cannot be used, and the edits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, plan, task

from starloom.constellation.edits import UpdateTask
from starloom_gui.editing.replacing import Hit, ReplacementPlurals, edits_of, seek, spot_words, texts_of, why_not
from starloom_gui.editing.seeking import LONGEST, MOST_TEXT, Replaced, ReplaceQuery, Replacer, UnusableError

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


def run_of(*tasks: Task) -> RunFacts:
    """A run of which only the first task has started."""
    driver = Driver(slots=1, checked=False)
    return driver.create(plan(tasks))


def hits(run: RunFacts, wanted: ReplaceQuery) -> list[Hit]:
    return [hit for hit in seek(run, sorted(run.graph.place.values()), wanted) if hit is not None]


def after(text: str, sought: str, by: str, **more: Any) -> Replaced | None:
    """What a text becomes; None: nothing was found."""
    found = [each for each in Replacer(ReplaceQuery(sought, by, **more)).replaced(text) if each is not None]
    return found[-1] if found else None


def said(text: str, sought: str, by: str, **more: Any) -> str:
    found = after(text, sought, by, **more)
    return found.text if found is not None else text


# ---- one text


@given(st.text(), st.text(min_size=1, max_size=3), st.text(max_size=3))
def test_a_text_is_replaced_as_python_does_wherever_it_stands(text: str, sought: str, by: str) -> None:
    found = after(text, sought, by)
    assert (found.text if found is not None else text) == text.replace(sought, by)
    if found is not None:
        assert {text[begin:end] for begin, end in found.old} == {sought}
        assert {found.text[begin:end] for begin, end in found.new} == {by}


def test_places_are_counted_in_characters_also_behind_those_that_qt_counts_twice() -> None:
    found = after("😀 foo 😀 foo", "foo", "😀x")
    assert found is not None
    assert found.text == "😀 😀x 😀 😀x"
    assert found.old == ((2, 5), (8, 11))
    assert [found.text[begin:end] for begin, end in found.new] == ["😀x", "😀x"]


def test_a_text_is_no_pattern_and_what_replaces_it_has_no_references() -> None:
    assert said("a.b a+b", "a.b", r"\1\n") == r"\1\n a+b"


def test_a_pattern_has_groups_by_number_and_by_name_and_shell_variables_stay() -> None:
    assert said("img-12.png", r"(\w+)-(?<no>\d+)", r"\g<no>_\1 $1 ${x} \\ \0", is_pattern=True) == (
        "12_img $1 ${x} \\ img-12.png"
    )
    assert said("one\ntwo", "^", r"\t> ", is_pattern=True) == "\t> one\n\t> two"


def test_capital_letters_count_only_if_they_are_to() -> None:
    assert said("Foo foo", "FOO", "x") == "Foo foo"
    assert said("Foo foo", "FOO", "x", exact=False) == "x x"


@pytest.mark.parametrize(
    ("sought", "by", "sentence"),
    [
        ("(a", "", "This is no pattern: missing closing parenthesis, at character 2."),
        ("a)", "", "This is no pattern: unmatched closing parenthesis, at character 2."),
        ("(*LIMIT_MATCH=999999999)(a+)+$", "", "This is no pattern"),
        ("(a)", r"\2", "The pattern has no group “2”."),
        ("(a)", r"\g<who>", "The pattern has no group “who”."),
        ("(a)", r"\d", r"“\d” means nothing here."),
        ("(a)", "x\\", "“\\” means nothing here."),
        ("((((((((((a{1,200}){1,200}){1,200}))))))))", "", "This is no pattern"),
        ("a" * (LONGEST + 1), "", "Write at most 1000 characters."),
    ],
)
def test_what_cannot_be_used_gets_a_sentence(sought: str, by: str, sentence: str) -> None:
    with pytest.raises(UnusableError, match=re.escape(sentence)):
        Replacer(ReplaceQuery(sought, by, is_pattern=True))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(?R)"])
def test_a_pattern_that_would_take_for_ever_is_given_up(pattern: str) -> None:
    """The test ends at all: a text of this length takes these patterns longer than anybody lives."""
    with pytest.raises(UnusableError, match="takes too long"):
        list(Replacer(ReplaceQuery(pattern, is_pattern=True)).replaced("a" * 5_000 + "!"))


def test_what_would_become_longer_than_a_task_may_be_is_given_up_on_the_way() -> None:
    with pytest.raises(UnusableError, match="too long for a task"):
        list(Replacer(ReplaceQuery("a", "b" * LONGEST)).replaced("a" * (MOST_TEXT // LONGEST + 1)))


def test_a_long_text_is_replaced_with_pauses() -> None:
    steps = list(Replacer(ReplaceQuery("a", "b")).replaced("a" * 5_000))
    assert len(steps) > 5
    assert steps[:-1] == [None] * (len(steps) - 1)


# ---- tasks


def test_every_text_that_says_what_a_task_runs_is_looked_at_and_names_only_if_wanted() -> None:
    one = task("one", name="N", command=("a", "b"), env={"K": "e"}, cwd="c", inputs={"x": ["i", {"y": "j"}, 3, None]})
    found = [(spot_words(spot), text) for spot, text in texts_of(one, names=False)]
    assert found == [
        ("Command, word 1", "a"),
        ("Command, word 2", "b"),
        ("Command", "a b"),
        ("Folder", "c"),
        ("Variables, K", "e"),
        ("Inputs, x.0", "i"),
        ("Inputs, x.1.y", "j"),
    ]
    assert next(spot_words(spot) for spot, _ in texts_of(one, names=True)) == "Name"
    others = (task("s", shell="x"), task("p", python="m:f"), task("q", prompt="x"), task("g", gate="x"), task("c"))
    assert [[spot_words(spot) for spot, _ in texts_of(each, names=True)] for each in others] == [
        ["Shell"],
        ["Python"],
        ["Prompt"],
        ["Gate"],
        ["Call"],
    ]


def test_the_edits_change_these_texts_and_nothing_else_one_edit_a_task() -> None:
    run = run_of(
        task("first"),
        task("a", name="old", command=("old", "keep", "old/old"), env={"K": "old", "L": "l"}, timeout=5),
        task("b", python="m:f", inputs={"x": ["old", {"y": "old", "n": 1}], "z": None}),
        task("g", gate={"message": "old?", "after": 60, "then": "skip"}),
    )
    edits = edits_of(run, hits(run, ReplaceQuery("old", "new")))
    assert [type(edit) for edit in edits] == [UpdateTask] * 3
    driver = Driver(slots=1, checked=False)
    driver.create(plan([task for _, task in run.graph.present()]))
    driver.edit(*edits)
    a, b, g = (driver.run().graph.task(id) for id in ("a", "b", "g"))
    assert (a.name, a.command, dict(a.env), a.timeout) == (
        "old",
        ("new", "keep", "new/new"),
        {"K": "new", "L": "l"},
        5.0,
    )
    assert b.inputs == {"x": ["new", {"y": "new", "n": 1}], "z": None}
    assert g.gate is not None
    assert (g.gate.message, g.gate.after) == ("new?", 60.0)


def test_a_command_is_found_as_it_is_shown_where_no_word_of_it_has_the_text() -> None:
    run = run_of(
        task("first"),
        task("short", command=("sleep", "10")),
        task("long", command=("sleep", "14")),
        task("shell", command=("sh", "-c", "sleep 15; echo it's")),
    )
    found = hits(run, ReplaceQuery("sleep 1", "nice sleep 2"))
    assert [(hit.task_id, spot_words(hit.spot), hit.before) for hit in found] == [
        ("short", "Command", "sleep 10"),
        ("long", "Command", "sleep 14"),
        ("shell", "Command, word 3", "sleep 15; echo it's"),
    ]
    assert {edit.task_id: edit.fields["command"] for edit in edits_of(run, found)} == {
        "short": ("nice", "sleep", "20"),
        "long": ("nice", "sleep", "24"),
        "shell": ("sh", "-c", "nice sleep 25; echo it's"),
    }
    (only,) = hits(run, ReplaceQuery("sleep 10", "sleep '1"))
    assert why_not(run, only) == "A quotation mark would not be closed."
    assert edits_of(run, [only]) == ()
    ((word,), (kept,)) = hits(run, ReplaceQuery("14", "1 4")), [edits_of(run, hits(run, ReplaceQuery("14", "1 4")))[0]]
    assert spot_words(word.spot) == "Command, word 2"
    assert kept.fields["command"] == ("sleep", "1 4"), "a word stays one"


def test_tasks_that_have_started_are_found_and_left_alone_with_the_reason() -> None:
    run = run_of(task("first", command=("old",)), task("a", command=("old",)))
    found = hits(run, ReplaceQuery("old", "new"))
    assert [why_not(run, hit) for hit in found] == ["first is running.", ""]
    assert [edit.task_id for edit in edits_of(run, found)] == ["a"]


def test_what_a_task_cannot_have_says_so_beforehand() -> None:
    run = run_of(task("first"), task("p", python="old:main"), task("c", call="old"))
    found = hits(run, ReplaceQuery("old", ""))
    reasons = {hit.task_id: why_not(run, hit) for hit in found}
    assert "python" in reasons["p"].lower()
    assert "call" in reasons["c"].lower()
    assert edits_of(run, found) == ()


def test_what_says_something_else_by_now_is_left_alone() -> None:
    driver = Driver(slots=1, checked=False)
    run = driver.create(plan([task("first"), task("a", command=("old", "old")), task("b", shell="old")]))
    found = hits(run, ReplaceQuery("old", "new"))
    driver.edit(UpdateTask("a", command=("old", "other")), UpdateTask("b", shell="changed"))
    assert [(edit.task_id, dict(edit.fields)) for edit in edits_of(driver.run(), found)] == [
        ("a", {"command": ("new", "other")})
    ]


def test_what_would_say_the_same_is_no_hit_and_a_pattern_that_takes_too_long_names_the_task() -> None:
    run = run_of(task("first"), task("a", name="The long one", shell="a" * 5_000 + "!"))
    assert hits(run, ReplaceQuery("a", "a")) == []
    with pytest.raises(UnusableError, match=r"In “The long one”: .*takes too long"):
        hits(run, ReplaceQuery("(a+)+$", is_pattern=True))


def test_the_step_says_what_was_done() -> None:
    assert ReplacementPlurals().label(ReplaceQuery("foo", "bar"), 12) == "Replace “foo” by “bar” in 12 task(s)"
    assert ReplacementPlurals().label(ReplaceQuery("foo %1", ""), 2) == "Remove “foo %1” from 2 task(s)"
