"""Every key of the words is read by the code, and every key that the code asks for exists.

A key is read where the code has it, or where the code builds it: from an f-string with a place for a part of it, or
from a family (`known`, `word`, `under`). A built key counts as read only if the part is a name that the code itself
has; that this name arrives at that place is not shown.
"""

import ast
import re
from functools import cache
from itertools import product
from pathlib import Path

import curvewise
from curvewise.words import texts

ROOT = Path(curvewise.__file__).parent
FAMILIES = {"known": ".", "word": ".", "Word": ".", "under": ""}  # calls whose first argument is a family, and its end
METRIC = ("said.", "metric.", "metric.meaning.", "metric.pitfall.", "metric.shown.", "metric.shown.meaning.")
CALLS = ("w", "note", "Note")
KINDS = (ast.Constant, ast.Name, ast.Attribute, ast.arg, ast.keyword, ast.FunctionDef, ast.JoinedStr, ast.Call)
PLACE = None  # in a template, between what is written there


def modules():
    return [path for path in ROOT.rglob("*.py") if path.parent != ROOT / "words" or path.stem == "__init__"]


@cache
def everything():
    trees = (ast.parse(path.read_text("utf-8")) for path in modules())
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, KINDS)]


def nodes(kind):
    return (node for node in everything() if isinstance(node, kind))


@cache
def constants():
    return {n.value for n in nodes(ast.Constant) if isinstance(n.value, str)}


@cache
def scripts():
    return " ".join(path.read_text("utf-8") for kind in ("*.js", "*.j2") for path in ROOT.rglob(kind))


@cache
def names():
    """Return every name that the code or a script has: strings and their words, variables, fields and options."""
    found = set(constants()) | {word for text in constants() for word in re.findall(r"[\w-]+", text)}
    found |= {n.id for n in nodes(ast.Name)} | {n.attr for n in nodes(ast.Attribute)}
    found |= {n.arg for n in nodes((ast.arg, ast.keyword))} | {n.name for n in nodes(ast.FunctionDef)}
    return found | set(re.findall(r"\w+", scripts())) | {""}


def alternatives(part):
    """Return what a part of an f-string may be: its text, either of two texts, or a place."""
    if isinstance(part, ast.Constant):
        return [part.value]
    if isinstance(part.value, ast.IfExp):
        both = (part.value.body, part.value.orelse)
        return [side.value if isinstance(side, ast.Constant) else PLACE for side in both]
    return [PLACE]


@cache
def templates():
    """Return what f-strings, families and scripts may build: texts as they are written, with places between them."""
    built = {parts for n in nodes(ast.JoinedStr) for parts in product(*map(alternatives, n.values))}
    built |= {(f"detection.js.{text}", PLACE) for text in re.findall(r"words\[`(\w+)\$\{", scripts())}
    for call in nodes(ast.Call):
        first = call.args[0] if call.args else None
        end = FAMILIES.get(getattr(call.func, "attr", getattr(call.func, "id", "")))
        if end is not None and isinstance(first, ast.Constant) and isinstance(first.value, str):
            built.add((first.value + end, PLACE))
    texts_of = {parts: [part for part in parts if part is not PLACE] for parts in built}
    written = [
        parts for parts, said in texts_of.items() if re.fullmatch(r"[\w.-]*[a-z][\w.-]*", "".join(map(str, said)))
    ]
    return [*(parts for parts in written if parts != ("note.", PLACE)), *((family, PLACE) for family in METRIC)]


def may_build(template, text):
    """Whether a template gives this text with names of the code in its places."""
    if not template:
        return not text
    first, *rest = template
    if first is not PLACE:
        return text.startswith(first) and may_build(rest, text[len(first) :])
    if not rest:
        return text in names()
    return any(text[:n] in names() and may_build(rest, text[n:]) for n in range(len(text) + 1))


def is_read(key):
    forms = [key, key.removeprefix("note.")] if key.startswith("note.") else [key]
    if constants() & set(forms) or f"'{key}'" in scripts() or f'"{key}"' in scripts():
        return True
    return any(may_build(template, form) for form in forms for template in templates())


def test_every_key_is_read():
    assert [key for key in texts("en") if not is_read(key)] == []


def test_a_key_that_nobody_reads_is_found():
    assert not any(map(is_read, ("note.never_said_by_anybody", "column.never_shown", "metric.never_defined")))


def asked():
    for call in nodes(ast.Call):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        first = call.args[0] if call.args else None
        if name in CALLS and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield f"note.{first.value}" if name.lower() == "note" else first.value


def test_every_key_that_the_code_asks_for_exists():
    keys = set(asked())
    assert len(keys) > 500
    assert keys - set(texts("en")) == set()
