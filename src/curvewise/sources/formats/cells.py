"""Text cells as numbers and labels: exactly, or not at all.

A column is called as messages write its name, in quotes: Polars would take ``^a.*$`` or ``*`` alone for a pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

from curvewise.errors import CurvewiseError, RowNumbers
from curvewise.rows.columns import count
from curvewise.sources._polars import pl
from curvewise.sources.wording import file_lines

MISSING = ("", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null", "none")
DECIMAL_COMMA = r"^[+-]?\d*,\d+([eE][+-]?\d+)?$"
THOUSANDS = r"^[+-]?[1-9]\d{0,2},\d{3}$"
# what may separate thousands, and what then separates decimals; a cell with more than one sign shows which it is
GROUPED = {
    ",": (r"^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$", r",.*[,.]"),
    ".": (r"^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$", r"\..*[.,]"),
    " ": (r"^[+-]?[1-9]\d{0,2}([ \x{a0}\x{2009}\x{202f}]\d{3})+([.,]\d+)?$", "."),
    "'": (r"^[+-]?[1-9]\d{0,2}(['\x{2019}]\d{3})+([.,]\d+)?$", "."),
}
SIGNS = {",": ",", ".": ".", " ": " \u00a0\u2009\u202f", "'": "'\u2019"}
# no superfluous zero in front: 01 is a code, not the number 1
LABEL_NUMBER = r"^[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$"
WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
TEXT = (pl.String, pl.Categorical, pl.Enum)


def quoted_name(column: pl.Series) -> pl.Series:
    """Return a column that is called as messages write its name."""
    return column.alias(repr(column.name))


def without_missing(cells: pl.Series, *, strip: bool = True, words: bool = True) -> pl.Series:
    """Return text cells with empty ones and the usual ``words`` for "no value" as null, where these stand for it."""
    stripped = cells.cast(pl.String).str.strip_chars()
    if not words:
        return stripped if strip else cells.cast(pl.String)
    missing = stripped.str.to_lowercase().is_in(MISSING)
    kept = stripped if strip else cells.cast(pl.String)
    return kept.zip_with(~missing.fill_null(value=True), pl.Series([None], dtype=pl.String))


def without_thousands(columns: Sequence[pl.Series]) -> tuple[list[pl.Series], str]:
    """Join digits that a sign separates by thousands, and return that sign, or nothing where it is not certain.

    It is certain where every cell with the sign has groups of three digits and one cell has it twice, or beside the
    sign of decimals; 1,234 alone may be 1.234.
    """
    cells = [c for c in columns if c.dtype == pl.String]
    for sign, (grouped, certain) in GROUPED.items():
        signs = list(SIGNS[sign])
        having = [c.filter(c.str.contains_any(signs)) for c in cells]
        if not any(c.str.contains(certain).any() for c in having):
            continue
        if sign in ",." and any(_decimals(c, sign).any() for c in cells):
            continue
        if all(c.str.contains(grouped).all() for c in having):
            empty = [""] * len(signs)
            joined = [c.str.replace_many(signs, empty) if c.dtype == pl.String else c for c in columns]
            return joined, {" ": "space"}.get(sign, repr(sign))
    return list(columns), ""


def _decimals(cells: pl.Series, sign: str) -> pl.Series:
    """Mark cells in which digits follow the other sign, and more of it or of this one: neither is certain then."""
    other = "." if sign == "," else ","
    return cells.str.contains(rf"\{other}.*[.,]")


def has_decimal_comma(columns: Sequence[pl.Series]) -> bool:
    """Say whether numbers have a decimal comma; one that may separate thousands everywhere is refused."""
    cells = [c for c in columns if c.dtype == pl.String]
    comma = [c.filter(c.str.contains(",", literal=True)) for c in cells]
    if not sum(map(len, comma)) or any(c.str.contains(".", literal=True).any() for c in cells):
        return False
    if not all(c.str.contains(DECIMAL_COMMA).all() for c in comma):
        return False
    if all(c.str.contains(THOUSANDS).all() for c in comma):
        first = next(c for c in comma if len(c))
        raise CurvewiseError(
            f"column {first.name}: the comma in {first[0]!r} may be a decimal comma or separate "
            "thousands, and no cell tells which; write the numbers with a decimal point."
        )
    return True


def numbers(column: pl.Series, first_line: int | None, *, decimal_comma: bool = False) -> pl.Series:
    """Return a column as integers where every cell is one, else as float64; refuse anything else."""
    if column.dtype != pl.String:
        return _typed_numbers(column)
    cells = column.str.replace(",", ".", literal=True) if decimal_comma else column
    for whole in (pl.Int64, pl.UInt64):
        values = cells.cast(whole, strict=False)
        if values.null_count() == cells.null_count():
            return values
    values = cells.cast(pl.Float64, strict=False)
    words = cells.str.to_lowercase()
    # 1e400 and 1e-400 would turn into infinity and zero unasked
    beyond = (values.is_infinite() & ~words.str.contains("inf", literal=True)) | (
        (values == 0) & words.str.contains(r"^[^e]*[1-9]")
    )
    bad = (values.is_null() & cells.is_not_null()) | beyond.fill_null(value=False)
    if bad.any():
        raise CurvewiseError(
            f"column {column.name}: {count(int(bad.sum()), 'cell')} cannot be read as a number "
            f"({file_lines(first_rows(bad), first_line)}), first {column.filter(bad)[0]!r}; "
            "correct such cells, or empty them where the value is missing."
        )
    long = cells.filter(cells.str.contains(r"^[+-]?\d{16,}$")).str.replace(r"^\+?0*(\d)", "$1")
    if long.n_unique() != long.cast(pl.Float64).n_unique():
        raise CurvewiseError(
            f"column {column.name}: contains whole numbers that floats cannot distinguish, beside fractions; "
            "rank them or round them first."
        )
    return values


def labels(column: pl.Series, *, decimal_comma: bool = False, words: bool = True) -> pl.Series:
    """Return labels as numbers or booleans where all are plainly that, else as the text they are."""
    if column.dtype not in TEXT:
        if column.dtype == pl.Null:
            return column.cast(pl.Int64)
        if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
            raise _wrong_type(column, "labels")
        return column
    cells = without_missing(column, words=words)
    if decimal_comma:
        cells = cells.str.replace(",", ".", literal=True)
    if cells.null_count() == len(cells):
        return cells.cast(pl.Int64, strict=False)
    if cells.str.contains(LABEL_NUMBER).all():
        whole = cells.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == cells.null_count() else cells.cast(pl.Float64)
    lower = cells.str.to_lowercase()
    if lower.drop_nulls().is_in(["true", "false"]).all():
        return lower == "true"
    return without_missing(column, strip=False, words=words)


def plain_names(column: pl.Series, *, words: bool = True) -> pl.Series:
    """Return names as whole numbers, fractions or booleans where each is written as that, else as the text they are.

    1.1 and 1.10 are two names, and so are two long identifiers that one float64 stands for.
    """
    if column.dtype.is_temporal():
        return column.cast(pl.String)
    if column.dtype not in TEXT:
        return labels(column)
    cells = without_missing(column, words=words)
    if cells.null_count() == len(cells):
        return cells.cast(pl.Int64, strict=False)
    for dtype in (pl.Int64, pl.Float64):
        values = cells.cast(dtype, strict=False)
        if values.cast(pl.String).eq_missing(cells).all():
            return values
    lower = cells.drop_nulls().unique().str.to_lowercase()
    if lower.is_in(["true", "false"]).all() and lower.is_unique().all():
        return cells.str.to_lowercase() == "true"
    return without_missing(column, strip=False, words=words)


def written(values: pl.Series, missing: str = "") -> pl.Series:
    """Write numbers in the fewest digits that give them back."""
    return values.cast(pl.Float64).cast(pl.String).fill_null(missing)


def first_rows(mask: pl.Series) -> RowNumbers:
    """Return the first rows that a mask marks."""
    rows = mask.arg_true()
    return RowNumbers(tuple(rows[:5].to_list()), more=len(rows) > 5)


def _typed_numbers(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Null:
        return column.cast(pl.Float64)
    if column.dtype == pl.Boolean:
        return column.cast(pl.UInt8)
    if not column.dtype.is_numeric():
        raise _wrong_type(column, "numbers")
    if column.dtype.is_decimal() or (column.dtype.is_integer() and column.dtype not in WHOLE):
        # NumPy holds neither decimals nor 128 bits; both are exact as text, and text knows what fits
        return numbers(column.cast(pl.String), None)
    return column


def _wrong_type(column: pl.Series, wanted: str) -> CurvewiseError:
    held = "dates or times" if column.dtype.is_temporal() else str(column.dtype)
    return CurvewiseError(f"column {column.name}: expected {wanted}, the file holds {held}.")
