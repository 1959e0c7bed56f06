"""Labels of many classes with a score for each, as `curvewise.evaluate` reads them: groups and names of rows beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise.errors import Advice, OptionError
from curvewise.many_classes.multiclass import Multiclass, multiclass
from curvewise.rows.category import category
from curvewise.rows.columns import Column, as_column

if TYPE_CHECKING:
    from curvewise.evaluation.options import EvaluationOptions
    from curvewise.sources.table import Source

# what many classes do not have: what it is called on the command line
THRESHOLD = {"costs": "--fp, --fn", "rule": "--rule", "prevalence": "--prevalence"}
POOLED = {"site": "--site", "fold": "--fold"}


def read_classes(
    source: Source, options: EvaluationOptions, reading: dict[str, Any], given: Mapping[str, object]
) -> Multiclass:
    """Read the rows; refuse the options ``given`` that speak of one threshold, or of sites and folds."""
    for name in (name for name, value in given.items() if value is not None):
        if name in THRESHOLD:
            said = "of many classes the highest score is predicted, so there is no threshold to choose; leave it out."
            raise OptionError("{option}: {said}", option=Advice(name, THRESHOLD[name]), said=said)
        each = Advice("pass the column as group=", "give the column as --group")
        said = "{option}: a model of many classes is not pooled over sites or folds; {each} to see each of them."
        raise OptionError(said, option=Advice(name, POOLED[name]), each=each)
    scores = {name: source[name] for name in options.scores}
    found = multiclass(source[str(options.label)], scores, **reading)

    def kept(name: str) -> Column:
        """Return a column beside the rows that were kept."""
        column = as_column(source[name], name)
        return column if found.kept is None else column.keep(np.isin(np.arange(len(column)), found.kept))

    groups = {name: category(name, kept(name)) for name in options.group}
    ids = None if options.id is None else kept(options.id).values
    return replace(found, groups=groups, id=ids)
