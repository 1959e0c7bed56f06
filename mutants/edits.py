"""Every small change of a module that its tests should notice: one operator, constant, bound or returned value each."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is not": "is", "is": "is not",
               "not in": "in", "in": "not in"}  # fmt: skip
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "**": "*", "%": "*", "&": "|", "|": "&"}
AUGMENTED = {f"{old}=": f"{new}=" for old, new in ARITHMETIC.items()}
WORDS = {"and": "or", "or": "and"}
NAMES = {"min": "max", "minimum": "maximum", "argmin": "argmax", "nanmin": "nanmax", "floor": "ceil", "any": "all"}
NAMES |= {new: old for old, new in NAMES.items()}
SIDES = {"left": "right", "right": "left"}
# keywords that change speed, memory or a traceback, and no answer
NO_ANSWER = {"copy", "strict", "stacklevel", "maxsize"}
# why no test can kill a mutant of this line; alone on a line, it is about the next one
EXCUSE = re.compile(r"(?P<code>.*?)# mutants: (?P<reason>.+)")


@dataclass(frozen=True)
class Mutant:
    """One changed piece of one module: bytes ``start`` to ``end`` become ``new``; tests reach it through ``lines``."""

    path: str
    function: str
    start: int
    end: int
    new: str
    line: int
    lines: tuple[int, ...]
    before: str
    after: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names this change wherever its line has moved."""
        return self.path, self.function, self.before, self.after


def excuses(source: bytes) -> dict[int, str]:
    """Return the reason why no test can kill a mutant, by the line that it stands for."""
    matches = {line: EXCUSE.match(text) for line, text in enumerate(source.decode().splitlines(), start=1)}
    return {line + (not m["code"].strip()): m["reason"] for line, m in matches.items() if m}


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a module, in the order of its text."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for (start, end), new, function, reach in _Finder(source, starts).find(ast.parse(source)):
        first, last = source.rfind(b"\n", 0, start) + 1, source.find(b"\n", end)
        before = _flat(source[first:last])
        after = _flat(source[first:start] + new.encode() + source[end:last])
        found.append(Mutant(path, function, start, end, new, source.count(b"\n", 0, start) + 1, reach, before, after))
    return sorted(found, key=lambda one: (one.start, one.end, one.new))


def _flat(text: bytes) -> str:
    return " ".join(text.decode().split())


class _Finder:
    """Walk a module, and yield what to replace, the function around it and the lines that reach it."""

    def __init__(self, source: bytes, starts: list[int]) -> None:
        self.source, self.starts = source, starts

    def find(self, tree: ast.Module) -> Iterator[tuple[tuple[int, int], str, str, tuple[int, ...]]]:
        for statement in tree.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_number(statement.value):
                for span, new in self._expression(statement.value):
                    yield span, new, "", ()
            else:
                yield from self._statement(statement, "", ())

    def _statement(self, node: ast.stmt, name: str, body: tuple[int, ...]) -> Iterator[tuple]:  # type: ignore[type-arg]
        """Yield the changes of one statement; ``body``: the lines of the innermost function around it."""
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                if isinstance(child, ast.FunctionDef):
                    yield from self._statement(child, f"{name}.{node.name}".lstrip("."), body)
            return
        if isinstance(node, ast.FunctionDef):
            name = f"{name}.{node.name}".lstrip(".")
            lines = tuple(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
            if node.name != "__repr__":
                for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                    if isinstance(default, ast.Constant):
                        for span, new in self._expression(default):
                            yield span, new, name, lines
                for child in node.body:
                    yield from self._statement(child, name, lines)
            return
        if not name or isinstance(node, ast.Raise):  # imports and facts at import time; the words of an error
            return
        inner = [child for child in ast.walk(node) if isinstance(child, ast.stmt) and child is not node]
        header_end = min((child.lineno for child in inner), default=node.end_lineno + 1) - 1
        reach = tuple(range(node.lineno, max(header_end, node.lineno) + 1))
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    yield from self._statement(child, name, body)
                elif isinstance(child, ast.excepthandler | ast.match_case):
                    for deeper in child.body:
                        yield from self._statement(deeper, name, body)
                elif isinstance(child, ast.expr) and field != "annotation" and not _is_docstring(node):
                    for span, new in self._expression(child):
                        yield span, new, name, reach
        if isinstance(node, ast.If) and not _turned_elsewhere(node.test):
            yield self._span(node.test), f"not ({self._text(node.test)})", name, reach
        if isinstance(node, ast.Return) and node.value is not None:
            yield self._span(node.value), "None", name, reach
        if isinstance(node, ast.AugAssign):
            for span, new in self._between(node.target, node.value, AUGMENTED):
                yield span, new, name, reach

    def _expression(self, node: ast.expr) -> Iterator[tuple[tuple[int, int], str]]:
        if isinstance(node, ast.JoinedStr):
            return
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from self._between(left, right, COMPARISONS)
        elif isinstance(node, ast.BinOp):
            if not any(_is_text(side) for side in (node.left, node.right)):
                yield from self._between(node.left, node.right, ARITHMETIC)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from self._between(left, right, WORDS)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            yield self._span(node), f"({self._text(node.operand)})"
        elif isinstance(node, ast.IfExp) and not _turned_elsewhere(node.test):
            yield self._span(node.test), f"not ({self._text(node.test)})"
        elif isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper):
                if bound is not None and not isinstance(bound, ast.Constant | ast.UnaryOp):
                    yield self._span(bound), f"({self._text(bound)}) + 1"
        elif isinstance(node, ast.Constant):
            new = _other_constant(node.value)
            if new is not None:
                yield self._span(node), new
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in NAMES:
                end = self._span(node.func)[1]
                yield (end - len(name), end), NAMES[name]
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._expression(child)
            elif isinstance(child, ast.keyword) and child.arg not in NO_ANSWER:
                yield from self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    yield from self._expression(part)

    def _between(self, left: ast.expr, right: ast.expr, table: dict[str, str]) -> Iterator[tuple[tuple[int, int], str]]:
        """Replace the operator that stands between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        operators = "|".join(sorted((re.escape(one).replace(r"\ ", r"\s+") for one in table), key=len, reverse=True))
        match = re.search(rf"(?<!\w)({operators})(?!\w)", self.source[start:end].decode())
        if match:
            before = len(self.source[start:end].decode()[: match.start()].encode())
            old = match.group()
            yield (start + before, start + before + len(old.encode())), table[" ".join(old.split())]

    def _span(self, node: ast.expr) -> tuple[int, int]:
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()


def _other_constant(value: object) -> str | None:
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int | float):
        return repr(type(value)(1 - value if value in {0, 1} else value + 1 if isinstance(value, int) else value * 2))
    return repr(SIDES[value]) if isinstance(value, str) and value in SIDES else None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_number(value: ast.expr | None) -> bool:
    """Whether a constant of the module is made of numbers alone; others are used while modules are imported."""
    used = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context)
    return value is not None and all(isinstance(part, used) for part in ast.walk(value))


def _turned_elsewhere(test: ast.expr) -> bool:
    """Whether the change of the operator itself already turns the test around."""
    if isinstance(test, ast.Compare):
        return not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return isinstance(test, ast.UnaryOp)
