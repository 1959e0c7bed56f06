"""A mutant without a file: the functions of a loaded module get the code of its changed source."""

from __future__ import annotations

import ast
import sys
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FunctionType

    from edits import Mutant


def swap(mutant: Mutant, source: bytes, functions: list[FunctionType]) -> None:
    """Give the functions of the changed module their new code; a changed default or constant its new value."""
    changed_source = mutant.apply(source)
    changed = changes(source, changed_source)
    name = f"curvewise.{mutant.path.removesuffix('.py').replace('/', '.')}"
    space = vars(sys.modules[name])
    of_module = [function for function in functions if function.__module__ == name]
    for function in of_module:
        function.__code__ = changed.get(function.__code__, function.__code__)
    if mutant.line in mutant.lines:
        return
    for node in ast.walk(ast.parse(changed_source)):
        if isinstance(node, ast.FunctionDef) and node.name == mutant.function.rpartition(".")[2]:
            defaults = ast.Lambda(node.args, ast.Constant(None))  # the new defaults, and nothing of the body
            new = eval(compile(ast.Expression(ast.fix_missing_locations(defaults)), name, "eval"), space)
            for function in of_module:
                if function.__code__.co_qualname == mutant.function and function.__code__.co_firstlineno <= mutant.line:
                    function.__defaults__, function.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= mutant.line <= node.end_lineno:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            old, new = space[target.id], eval(compile(ast.Expression(node.value), name, "eval"), space)
            for module in [module for key, module in sys.modules.items() if key.startswith("curvewise")]:
                if vars(module).get(target.id) is old:
                    setattr(module, target.id, new)


def changes(before: bytes, after: bytes) -> dict[CodeType, CodeType]:
    """Pair the code objects of two versions of a module that differ; none where the second does not compile."""
    try:
        pairs = [tuple(compile(text, "", "exec", dont_inherit=True) for text in (before, after))]
    except SyntaxError:
        return {}
    changed = {}
    for old, new in pairs:  # grows while it is read: the code objects within
        if old != new:
            changed[old] = new
        inner = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new)]
        pairs += zip(*inner, strict=False)
    return changed
