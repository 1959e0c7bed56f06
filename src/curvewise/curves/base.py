"""What every curve can do: unpack like scikit-learn's tuples, become a frame, be thinned, be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from curvewise.core.keys import slices
from curvewise.core.threads import in_threads
from curvewise.curves.thinning import kept_points
from curvewise.results.frames import to_frame
from curvewise.results.result import Result, Table
from curvewise.rows.checks import whole
from curvewise.rows.columns import EXACT_FLOAT, count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from curvewise.core.sweep import Sweep

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve(Result):
    """Points in falling order of threshold; fields named in ``points`` are arrays, one value per point.

    ``positives``, ``negatives`` and ``higher_is`` say what the curve was read from. Areas and
    summary numbers are taken from the whole sweep, so thinning does not change them.
    """

    points: ClassVar[tuple[str, ...]]
    counts: ClassVar[tuple[str, ...]] = ()  # further arrays, one value per point, that do not unpack

    positives: float
    negatives: float
    higher_is: str = "positive"
    backend: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in self.points + self.counts:
            getattr(self, name).flags.writeable = False

    def __len__(self) -> int:
        return len(getattr(self, self.points[0]))

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter([getattr(self, name) for name in self.points])

    @property
    def table(self) -> Table:
        """The points, one row per point."""
        return Table(repr(self), {name: getattr(self, name).tolist() for name in self.points}, self.backend)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the points as a frame (``"polars"``, ``"pandas"`` or ``"pyarrow"``)."""
        return to_frame({name: getattr(self, name) for name in self.points}, backend or self.backend)

    def axes(self) -> tuple[Floats, Floats]:
        """Return x and y as the curve is drawn."""
        x, y = (getattr(self, name) for name in self.points[:2])
        return x, y

    def thin(self, max_points: int = 1000) -> Self:
        """Return the curve with at most ``max_points`` points and every corner that shows.

        Points on a straight line go first and change nothing; if that is not enough, those whose
        absence moves the drawn line least. Areas keep the value of the whole curve.
        """
        keep = kept_points(*self.axes(), whole("max_points", max_points, 2))
        arrays = self.points + self.counts
        return replace(self, **{name: getattr(self, name)[keep] for name in arrays})

    def __str__(self) -> str:
        numbers = ", ".join(
            f"{name}={value:.6g}"
            for name, value in vars(self).items()
            if isinstance(value, float) and name not in ("positives", "negatives")
        )
        return f"{type(self).__name__}({count(len(self), 'point')}{', ' if numbers else ''}{numbers})"


def origin(sweep: Sweep) -> dict[str, Any]:
    """Return the fields every curve takes over from its sweep."""
    return {
        "positives": sweep.positives,
        "negatives": sweep.negatives,
        "higher_is": sweep.higher_is,
        "backend": sweep.backend,
    }


def from_zero(values: NDArray[Any], total: float, *, reuse: bool = False) -> Floats:
    """Return 0 and then every value as a share of the total.

    ``reuse`` puts them where the counts were, if there is room: for counts that nobody else holds.
    """
    room = _room(values) if reuse and values.dtype == np.int64 else None
    shares = np.empty(len(values) + 1) if room is None else room.view(np.float64)

    def divide(here: slice) -> None:
        np.divide(values[here], total, out=shares[1:][here])

    in_threads(divide, list(slices(len(values))), len(values))
    shares[0] = 0
    return shares


def thresholds_from_nothing(threshold: NDArray[Any], higher_is: str, *, reuse: bool = False) -> NDArray[Any]:
    """Return the thresholds behind the one that flags no row: infinite.

    Whole scores become float64, or Python integers where float64 cannot hold them.
    """
    nothing = np.inf if higher_is == "positive" else -np.inf
    room = _room(threshold) if reuse and threshold.dtype.kind == "f" else None
    if room is not None:
        room[0] = nothing
        return room
    if threshold.dtype.kind == "f":
        led = np.empty(len(threshold) + 1, dtype=threshold.dtype)
    else:
        largest = max(abs(int(threshold[0])), abs(int(threshold[-1])))
        led = np.empty(len(threshold) + 1, dtype=np.float64 if largest <= EXACT_FLOAT else object)
    led[0] = nothing
    led[1:] = threshold
    return led


def _room(values: NDArray[Any]) -> NDArray[Any] | None:
    """Return the array that has these values and one free place before them, if the kernel left one."""
    base = values.base
    fits = isinstance(base, np.ndarray) and base.shape == (len(values) + 1,) and base.flags.writeable
    return base if fits else None
