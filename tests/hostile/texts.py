"""Texts that the mutations of `forging` begin with, and plans whose names nobody would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.hostile.forging import TEXTS

if TYPE_CHECKING:
    from random import Random

SIMULATED: Final = """\
starloom: 1
name: firmware
devices: [{id: build-1, kind: simulated, slots: 2}, {id: lab-a, kind: simulated}]
tasks:
  sources: {simulate: 12s}
  configure: {simulate: 21s, needs: [sources]}
  compile hal: {simulate: 42s, needs: [configure]}
  compile ble: {simulate: {duration: 24s, outcome: failed}, needs: [configure], retry: 1}
  unit ble: {simulate: 5s, needs: [compile ble]}
  triage ble: {simulate: 5s, needs: [{task: compile ble, kind: failure}]}
  unit hal: {simulate: 5s, needs: [compile hal]}
  link: {simulate: 6s, needs: [compile hal]}
  flash lab-a: {simulate: 20s, needs: [link]}
  hotfix: {simulate: 1s, needs: [flash lab-a]}
"""
"""The plan of the script that the story of the reports comes to, in virtual time."""

FLEET: Final = """\
starloom: 1
devices:
  - {id: build-1, kind: simulated, slots: 2, speed: 1.5, capabilities: [gpu, "arm64"]}
  - id: lab-a
    kind: simulated
    slots: 1
    failure_rate: 0.1
    seed: 7
  - id: here
    kind: local
    slots: 4
  - {id: far, kind: ssh, host: far.example, user: ada, slots: 2}
limits:
  max_concurrency: 8
  groups: {flash: 1, net: 4}
"""

DOT: Final = """\
/* everything that DOT has */
# a line of the preprocessor
strict digraph "a \\"graph\\"" {
  rankdir=LR; node [shape=box, style="rounded,filled"] // all of them
  edge [color="gray" ; weight=2];
  graph [label="two " + "parts", fontsize=10.5]
  a [label="compile\\nall", command="make -j4"];
  b [label=<<b>bold</b> &amp; <i>not</i>>]
  -3.5; _x9; "with space" [estimate=3]
  a -> b -> "with space":port:ne;
  subgraph cluster_0 { label=inside; c; d -> e [label="yes"]; }
  subgraph { f g } -> { h; i } [style=dashed]
  a -> subgraph named { j }
  b -> c [condition="value.ok == 1", kind=condition]
  \u00fcber -> a
}
"""


def letters_lost(text: str, random: Random) -> str:
    """The text without a few letters or brackets here and there, or with others; often as it is."""
    letters = list(text)
    for _ in range(random.choice((0, 0, 1, 3, 10))):
        if letters:
            place = random.randrange(len(letters))
            letters[place : place + random.choice((0, 1))] = random.choice(
                ("", '"', "{", "}", "->", "--", "<", "\\", ";", "/*")
            )
    return "".join(letters)


def nasty_plan(random: Random) -> dict[str, Any]:
    """A plan whose names, texts and labels are such as nobody chooses; ids are what an id may be, more or less."""
    count = random.randrange(1, 9)
    ids = [f"{random.choice(_IDS)}{number}" for number in range(count)]
    tasks = []
    for place, id in enumerate(ids):
        task: dict[str, Any] = {"id": id, "name": _name(random), "description": _text(random)}
        task |= random.choice(
            ({"shell": _text(random) or "true"}, {"command": ["echo", _text(random)]}, {"simulate": "1s"})
        )
        task["metadata"] = {_text(random): _text(random)}
        if place and random.random() < 0.7:
            parent = random.choice(ids[:place])
            task["needs"] = [{"task": parent, "kind": random.choice(("success", "failure", "always"))}]
        if random.random() < 0.3:
            task["groups"] = [_name(random)]
        tasks.append(task)
    return {"starloom": 1, "name": _name(random), "description": _text(random), "tasks": tasks}


_IDS: Final = (
    *("t", "a b", "\u00fc", "-3", "node", "graph", "strict", "subgraph", "a:b"),
    *('a"b', "a\\", "<t>", "&amp;", "\U0001f9f5", "--", "]]>"),
)
_WORDS: Final = (
    *(*TEXTS, "plain", "two\nlines", "tab\there", "\\", 'a"b'),
    *("<b>", "a]b", "{c|d}", "end of graph }", "%%", "\u2028"),
)


def _text(random: Random) -> str:
    text = random.choice(_WORDS)
    return "".join(letter for letter in text if not "\ud800" <= letter <= "\udfff")


def _name(random: Random) -> str:
    """A text that may be a name; now and then one that may not."""
    text = _text(random)[:200]
    if random.random() < 0.02:
        return text
    return "".join(letter for letter in text if letter.isprintable()).strip() or "n"
