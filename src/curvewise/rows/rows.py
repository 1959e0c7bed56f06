"""Rows: labels and scores that passed every check, with all that belongs to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from curvewise.errors import CurvewiseError
from curvewise.results.numbers import exactly
from curvewise.results.result import Result, Table
from curvewise.rows.checks import one_of
from curvewise.rows.columns import count, shown

if TYPE_CHECKING:
    from curvewise.rows.category import Category
    from curvewise.rows.horizon_rows import HorizonRows

HigherIs = Literal["positive", "negative"]
Missing = Literal["raise", "drop"]
WeightKind = Literal["sampling", "count"]


class RowOptions(TypedDict):
    """The options that say how rows are read; `curvewise.sweep` describes each."""

    weight: NotRequired[object]
    weight_kind: NotRequired[WeightKind]
    cluster: NotRequired[object]
    stratum: NotRequired[object]
    positive: NotRequired[object]
    higher_is: NotRequired[HigherIs]
    missing: NotRequired[Missing]
    round_to: NotRequired[int | None]


class OfModels:
    """Scores by model."""

    scores: dict[str, NDArray[Any]]

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(self.scores)

    @property
    def score(self) -> NDArray[Any]:
        """The scores of the only model."""
        if len(self.scores) != 1:
            several, kind = ", ".join(self.scores), type(self).__name__
            raise CurvewiseError(
                f"{kind} of {len(self.scores)} models ({several}): pick one, as in {kind.lower()}.of(name)."
            )
        return next(iter(self.scores.values()))


@dataclass(frozen=True, eq=False, repr=False)
class Rows(OfModels, Result, schema="rows"):
    """Labels and scores that passed every check, with all that belongs to them.

    Made by `curvewise.read_rows`, and taken by every verb in the place of labels and scores.

    Attributes
    ----------
    positive
        Which rows are positive.
    scores
        Scores by the name of the model; one without a name is called "score".
    weight, weight_kind
        Weights, and whether they are sampling weights or counts of independent rows.
    cluster
        The number of each row's cluster: rows of one cluster may depend on each other.
    stratum, sampled
        The number of each row's stratum, and how many clusters (rows where there are none) were sampled in each
        stratum, those included that have been left out since.
    groups, site, fold
        Which group (by column), site and fold each row belongs to.
    id
        What the user calls each row.
    costs
        What a false positive, a false negative, a true positive and a true negative cost, where that differs by row.
    dropped, round_to, higher_is
        The choices made when the rows were read.
    kept
        The numbers that the rows had when they came, once some have been left out.
    horizon
        At a horizon of censored outcomes: where these rows, whose outcome by then is known, stand among all.
    """

    positive: NDArray[np.bool_]
    scores: dict[str, NDArray[Any]]
    weight: NDArray[np.int64] | NDArray[np.float64] | None = None
    weight_kind: WeightKind = "sampling"
    cluster: NDArray[np.intp] | None = None
    stratum: NDArray[np.intp] | None = None
    sampled: NDArray[np.intp] | None = None
    groups: dict[str, Category] = field(default_factory=dict)
    site: Category | None = None
    fold: Category | None = None
    id: NDArray[Any] | None = None
    dropped: int = 0
    round_to: int | None = None
    higher_is: HigherIs = "positive"
    backend: str | None = None
    kept: NDArray[np.intp] | None = None
    horizon: HorizonRows | None = field(default=None, repr=False)
    costs: NDArray[np.float64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        one_of("higher_is", self.higher_is, ("positive", "negative"))  # another value would turn every ranking round

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def is_whole(self) -> bool:
        """Whether a count of these rows is a number of independent rows: no weights, or weights that count."""
        return self.weight is None or self.weight_kind == "count"

    @property
    def is_plain(self) -> bool:
        """Whether rows are independent and count alike, so that their sweep says all that they can."""
        return self.cluster is None and self.stratum is None and self.is_whole

    @property
    def are_units(self) -> bool:
        """Whether each row (or as many as its weight counts) is an independent unit, sampled within strata or not."""
        return self.cluster is None and self.is_whole

    @property
    def censored(self) -> HorizonRows | None:
        """The horizon, where weights of censoring were estimated from these rows and others; else None."""
        return None if self.horizon is None or self.horizon.is_known else self.horizon

    @property
    def weight_in_draws(self) -> bool:
        """Whether how often a row is drawn has its weight in it: a count, or one that every draw makes anew."""
        return self.weight_kind == "count" or self.censored is not None

    def of(self, model: str) -> Rows:
        """Return the rows with the scores of one model."""
        if not isinstance(model, str) or model not in self.scores:
            raise CurvewiseError(f"There is no model {shown(model)}; the models are {', '.join(self.scores)}.")
        return replace(self, scores={model: self.scores[model]})

    def owned(self) -> Rows:
        """Return the rows in arrays of their own, so that what a caller does to his arrays changes no result."""
        return replace(
            self,
            positive=self.positive.copy(),
            scores={name: score.copy() for name, score in self.scores.items()},
            weight=None if self.weight is None else self.weight.copy(),
            id=None if self.id is None else self.id.copy(),
        )

    def take(self, which: NDArray[Any]) -> Rows:
        """Return some of the rows: a mask, or their places in any order."""

        def some(values: Any) -> Any:
            return None if values is None else values[which]

        return replace(
            self,
            positive=self.positive[which],
            scores={name: score[which] for name, score in self.scores.items()},
            weight=some(self.weight),
            cluster=some(self.cluster),
            stratum=some(self.stratum),
            groups={name: g.take(which) for name, g in self.groups.items()},
            site=None if self.site is None else self.site.take(which),
            fold=None if self.fold is None else self.fold.take(which),
            id=some(self.id),
            costs=some(self.costs),
            kept=np.arange(len(self))[which] if self.kept is None else self.kept[which],
            horizon=None if self.horizon is None else self.horizon.take(which),
        )

    @property
    def table(self) -> Table:
        """One row per row: label, scores, weight, cluster, stratum, groups, site, fold, id."""
        columns: dict[str, list[Any]] = {"positive": self.positive.tolist()}
        columns |= {name: score.tolist() for name, score in self.scores.items()}
        named = {"weight": self.weight, "cluster": self.cluster, "stratum": self.stratum, "id": self.id}
        columns |= {name: v.tolist() for name, v in named.items() if v is not None}
        several = {
            **self.groups,
            **{k: c for k, c in (("site", self.site), ("fold", self.fold)) if c is not None},
        }
        columns |= {name: [c.names[k] for k in c.code] for name, c in several.items()}
        return Table("Rows", columns, self.backend)

    def __str__(self) -> str:
        positives = int(np.count_nonzero(self.positive))
        facts = [
            f"{count(len(self), 'row')}: {positives} positive, {len(self) - positives} negative",
            f"{count(len(self.scores), 'model')} ({', '.join(self.scores)})",
            f"weighted ({self.weight_kind})" if self.weight is not None else "",
            "" if self.cluster is None else count(int(self.cluster.max()) + 1, "cluster"),
            "" if self.stratum is None else f"{int(self.stratum.max()) + 1} strata",
            f"{self.dropped} dropped" if self.dropped else "",
            "" if self.horizon is None else f"at {exactly(self.horizon.at)}",
        ]
        return f"Rows({'; '.join(filter(None, facts))})"
