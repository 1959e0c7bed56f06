"""Events as codes: 0 censored, 1 the event of interest, 2 a competing one; what must be said to know which is which."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import Advice, CurvewiseError, Note, OptionError, OptionName, note
from curvewise.rows.checks import as_float
from curvewise.rows.columns import Column, count, is_missing, is_number, row_numbers, shown
from curvewise.rows.labels import check_labels, classes_in

Codes = NDArray[np.int8]

CENSORED, EVENT, COMPETING = 0, 1, 2
MOST_SHOWN = 6


def event_codes(column: Column, cause: object, time: NDArray[np.float64]) -> tuple[Codes, tuple[Note, ...]]:
    """Return the code of each row, and what a careful reader should know of how events were read.

    Without a cause only 0/1 and True/False are understood. With one, 0 is censored, and so is the only other code
    where no row has code 0 (R's lung: 1 censored, 2 dead).
    """
    values = column.values
    if values.dtype.kind not in "biuf":
        check_labels(column)
    bad = _no_codes(values, text=cause is not None)
    if bad.any():
        raise _no_event(column, bad, time)
    found = classes_in(values)
    if cause is None:
        if not all(_is(code, 0) or _is(code, 1) for code in found):
            raise _unclear(column, found, time)
        return np.asarray(values, dtype=bool).astype(np.int8), ()
    if is_missing(cause) or _is(cause, CENSORED) or not np.isscalar(cause):
        raise OptionError.of("cause", f"expected the code of an event, which is not 0 (censored), got {shown(cause)}.")
    others = [code for code in found if not _is(code, cause)]
    censored = next((code for code in others if _is(code, 0)), None)
    if len(others) == len(found) and not (censored is not None and len(found) == 1):
        raise column.error(
            "no row has the code {option}{cause}; {listed}.",
            option=OptionName("cause"),
            cause=shown(cause),
            listed=_listed(found),
        )
    notes: tuple[Note, ...] = ()
    if censored is None and len(others) > 1:
        raise column.error("{listed}, and none of them is 0, which means censored; recode them.", listed=_listed(found))
    if censored is None and others:
        censored = others[0]
        notes = (note("survival_censored_code", censored=shown(censored), cause=shown(cause)),)
    code = np.full(len(values), COMPETING, dtype=np.int8)
    code[_equal(values, censored)] = CENSORED
    code[_equal(values, cause)] = EVENT
    return code, notes


def _equal(values: NDArray[Any], code: object) -> NDArray[np.bool_]:
    if code is None:
        return np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "O":
        return np.fromiter((_is(v, code) for v in values), dtype=bool, count=len(values))
    return np.asarray(values == code, dtype=bool) if is_number(code) else np.zeros(len(values), dtype=bool)


def _is(value: object, code: object) -> bool:
    """Say whether two codes are one; text is never a number."""
    return bool(value == code) if is_number(value) == is_number(code) else False


def _no_codes(values: NDArray[Any], *, text: bool) -> NDArray[np.bool_]:
    """Mark what is no code: fractions, infinities and, unless a cause is named, text."""
    if values.dtype.kind in "biu":
        return np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "f":
        return np.asarray((values != np.floor(values)) | ~np.isfinite(values))
    if values.dtype.kind in "US":
        return np.full(len(values), not text)
    wrong = {v: not (_is_whole(v) if is_number(v) else text) for v in set(values)}
    return np.fromiter((wrong[v] for v in values), dtype=bool, count=len(values))


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) or as_float(value).is_integer()


def _no_event(column: Column, bad: NDArray[np.bool_], time: NDArray[np.float64]) -> CurvewiseError:
    return column.error(
        "expected 0/1 or True/False, or codes with {option}, got {first} ({rows}){exchanged}.",
        option=Advice("cause=", "--cause"),
        first=shown(column.values[bad][0].item() if column.values.dtype.kind in "fUS" else column.values[bad][0]),
        rows=row_numbers(bad, column.rows),
        exchanged=_exchanged(time),
    )


def _unclear(column: Column, found: list[Any], time: NDArray[np.float64]) -> CurvewiseError:
    """Return the error for codes of which nobody said which is the event."""
    events = [code for code in found if not _is(code, 0)]
    if len(found) > 2 and len(events) < len(found):
        return column.error(
            "{codes}; competing risks need the one of interest: {option}{example}; 0 is censored{exchanged}.",
            codes=_some(found),
            option=OptionName("cause"),
            example=shown(events[0]),
            exchanged=_exchanged(time),
        )
    lung = found == [1, 2]
    return column.error(
        "{listed}; say which is the event, for example {option}{example}{lung}{exchanged}.",
        listed=_listed(found),
        option=OptionName("cause"),
        example=shown(found[-1]),
        lung=" (R's lung codes 1 censored, 2 dead)" if lung else "",
        exchanged=_exchanged(time),
    )


def _exchanged(time: NDArray[np.float64]) -> object:
    """Say that time and event may have changed places."""
    if not is_binary(time):
        return ""
    both = "; time has only the values 0 and 1, so time and event look exchanged: "
    return Advice(both + "the order is (time, event, risk)", both + "check --time and --event")


def is_binary(time: NDArray[np.float64]) -> bool:
    """Say whether times are 0 and 1 alone, both of them."""
    return bool(time.min() == 0 and time.max() == 1 and ((time == 0) | (time == 1)).all())


def _some(found: list[Any]) -> str:
    some = ", ".join(shown(code, 24) for code in found[:MOST_SHOWN]) + (", …" if len(found) > MOST_SHOWN else "")
    return f"{count(len(found), 'code')} ({some})"


def _listed(found: list[Any]) -> str:
    if len(found) == 1:
        return f"the only code is {shown(found[0])}"
    if len(found) == 2:
        return f"the codes are {' and '.join(map(shown, found))}"
    return f"there are {_some(found)}"
