"""Moves and renames modules and classes as `module_moves.txt` says, and rewrites what names them.

A line of the table has what was and what is, by dotted names: whole ones of the engine, which begin with `starloom.`,
those below `starloom_gui` of the console. It is a module, or a name in a module, with a colon before it. Modules are
moved; of names only the uses are rewritten. What has been done already is left as it is: to take a branch over that
began before a move, rebase it onto the commit before, run this, and commit.

git and ruff have to be there, and the work tree has to be without changes.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = {"starloom": ROOT / "engine", "starloom_gui": ROOT / "gui"}
TABLE: Final = Path(__file__).with_name("module_moves.txt")
TEXTS: Final = (".py", ".toml", ".md", ".spec", "Makefile")


def table() -> dict[str, str]:
    """What was and what is, by whole names, also of what moved more than once; `#` begins a comment."""
    lines = (line.partition("#")[0].split() for line in TABLE.read_text().splitlines())
    moves = {_whole(line[0]): _whole(line[1]) for line in lines if line}

    def followed(name: str) -> str:
        module, colon, rest = name.partition(":")
        if name in moves:
            return followed(moves[name])
        return followed(f"{moves[module]}:{rest}") if colon and module in moves else name

    return {old: followed(new) for old, new in moves.items()}


def _whole(name: str) -> str:
    return name if name.startswith("starloom.") else f"starloom_gui.{name}"


def path_of(module: str) -> Path:
    """Where a module of that name is."""
    return SOURCES[module.partition(".")[0]] / Path(*module.split(".")).with_suffix(".py")


def git(*arguments: str) -> str:
    """What git answers."""
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True).stdout


def move(modules: dict[str, str]) -> None:
    """Move the files, make the packages they go to, and remove packages that have nothing left.

    Raises:
        SystemExit: a module is in none of the places where it was or is to be, or in several.
    """
    for new in dict.fromkeys(modules.values()):
        there, befores = path_of(new), [old for old in modules if modules[old] == new]
        found = [path for path in (there, *map(path_of, befores)) if path.exists()]
        if len(found) != 1:
            sys.exit(f"{', '.join(befores)} -> {new}: there are {len(found)}.")
        if found != [there]:
            there.parent.mkdir(parents=True, exist_ok=True)
            git("mv", str(found[0]), str(there))
            package = there.parent / "__init__.py"
            if not package.exists():
                package.touch()
                git("add", str(package))
    for folder in {path_of(old).parent for old in modules}:
        if {path.name for path in folder.glob("*") if path.name != "__pycache__"} == {"__init__.py"}:
            git("rm", "-q", "-f", str(folder / "__init__.py"))


def with_imports(text: str, modules: dict[str, str], names: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A source whose imports from our packages name everything as it is now; and what it has to call otherwise."""
    lines, others = text.splitlines(keepends=True), dict[str, str]()
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    for node in sorted(found, key=lambda node: -node.lineno):
        module = node.module or ""
        if module.partition(".")[0] not in SOURCES:
            continue
        made = dict[str, list[str]]()
        for alias in node.names:
            where, name = _now(module, alias.name, modules, names)
            if name != alias.name and alias.asname is None and f"{module}:{alias.name}" in names:
                others[alias.name] = name
                bound = ""
            else:
                bound = alias.asname or (alias.name if name != alias.name else "")
            made.setdefault(where, []).append(f"{name} as {bound}" if bound else name)
        if made == {module: [f"{a.name} as {a.asname}" if a.asname else a.name for a in node.names]}:
            continue
        comment = re.search(r"#.*$", lines[(node.end_lineno or node.lineno) - 1])
        indent = " " * node.col_offset
        statements = [f"{indent}from {where} import {', '.join(what)}\n" for where, what in made.items()]
        if comment:
            statements[-1] = f"{statements[-1].rstrip()}  {comment.group()}\n"
        lines[node.lineno - 1 : node.end_lineno] = statements
    return "".join(lines), others


def _now(module: str, name: str, modules: dict[str, str], names: dict[str, str]) -> tuple[str, str]:
    """From where a name is imported now, and how it is called."""
    full = f"{module}.{name}"
    if full in modules:
        where, _, last = modules[full].rpartition(".")
        return where, last
    if f"{module}:{name}" in names:
        where, _, last = names[f"{module}:{name}"].partition(":")
        return where, last
    return modules.get(module, module), name


def with_names(text: str, others: dict[str, str]) -> str:
    """A source in which names are called otherwise wherever they stand as a name of code."""
    lines = text.splitlines(keepends=True)
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    elsewhere = {row for node in imports for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    previous = ""
    places = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_name = token.type == tokenize.NAME and previous != "." and token.start[0] not in elsewhere
        if is_name and token.string in others:
            places.append((token.start, token.string))
        previous = token.string
    for (row, column), name in reversed(places):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + others[name] + line[column + len(name) :]
    return "".join(lines)


def with_paths(text: str, modules: dict[str, str]) -> str:
    """A text with each dotted name and each path of a module as it is now."""
    for old, new in sorted(modules.items(), key=lambda pair: -len(pair[0])):
        text = re.sub(rf"\b{re.escape(old)}(?!\w)", new, text)
        before, after = old.replace(".", "/"), new.replace(".", "/")
        text = re.sub(rf"\b{re.escape(before)}\.py\b", f"{after}.py", text)
    return text


def rewrite(modules: dict[str, str], names: dict[str, str]) -> None:
    """Rewrite every text of the project. `make translations` then gathers the texts under their new classes."""
    own = dict[Path, dict[str, str]]()
    for old, new in names.items():
        module, _, name = old.partition(":")
        own.setdefault(path_of(modules.get(module, module)), {})[name] = new.partition(":")[2]
    for line in git("ls-files").splitlines():
        path = ROOT / line
        if not line.endswith(TEXTS) or path in (TABLE, Path(__file__)) or not path.is_file():
            continue
        text = before = path.read_text()
        if line.endswith(".py"):
            text, others = with_imports(text, modules, names)
            others |= own.get(path, {})
            text = with_names(text, others) if others else text
        text = with_paths(text, modules)
        if text != before:
            path.write_text(text)


def main() -> None:
    """Do what the table says, and have ruff sort the imports."""
    moves = table()
    modules = {old: new for old, new in moves.items() if ":" not in old}
    move(modules)
    rewrite(modules, {old: new for old, new in moves.items() if ":" in old})
    ruff = [sys.executable, "-m", "ruff"]
    rules = ("--select", "F401,I,TC", "--fix", "--unsafe-fixes")
    subprocess.run([*ruff, "check", "-q", *rules, "."], cwd=ROOT, check=False)
    subprocess.run([*ruff, "format", "-q", "."], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
