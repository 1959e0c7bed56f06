"""Partial AUC as a loss for PyTorch: our value and gradient within its automatic differentiation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from curvewise.errors import CurvewiseError, MissingExtraError
from curvewise.objectives.region import TEMPERATURE, Region, Share
from curvewise.objectives.surrogate import partial_auc


@dataclass(frozen=True)
class PartialAucLoss:
    """Loss 1 − V for PyTorch, where V is `curvewise.objectives.partial_auc` of a batch.

    Parameters
    ----------
    fpr, tpr, temperature, spread
        As in `curvewise.objectives.partial_auc`.

    Notes
    -----
    Called with scores (any real dtype, any device, of shape (n,) or (n, 1)), labels 0 and 1, and perhaps weights, it
    returns a tensor without dimensions, of the dtype and on the device of the scores. The sums are made on the CPU in
    float64. A batch needs both classes, and enough negatives: with ``fpr=0.05``, of 100 negatives 5 count, so take
    large batches, or draw them stratified. The mean over batches is not the partial AUC of all rows, because each batch
    has its own highest negatives. A second derivative is refused.

    Examples
    --------
    >>> import torch  # doctest: +SKIP
    >>> loss = PartialAucLoss(fpr=0.1)(model(x), y)  # doctest: +SKIP
    >>> loss.backward()  # doctest: +SKIP
    """

    fpr: Share = 0.05
    tpr: Share | None = None
    temperature: float = TEMPERATURE
    spread: float | None = None

    def __post_init__(self) -> None:
        Region.read(self.fpr, self.tpr, self.temperature, self.spread)

    def __call__(self, score: Any, target: Any, weight: Any = None) -> Any:
        """Return the loss of a batch."""
        options = {"fpr": self.fpr, "tpr": self.tpr, "temperature": self.temperature, "spread": self.spread}
        return _function().apply(score, target, weight, options)


@cache
def _function() -> Any:
    """Return the function of automatic differentiation, once PyTorch is there."""
    try:
        import torch  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("PartialAucLoss needs PyTorch: pip install 'curvewise[torch]'") from None

    def numbers(tensor: Any) -> Any:
        return tensor.detach().to(device="cpu", dtype=torch.float64).reshape(-1).numpy()

    class OneMinusPartialAuc(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, score: Any, target: Any, weight: Any, options: dict[str, Any]) -> Any:
            weights = None if weight is None else numbers(weight)
            value, gradient = partial_auc(numbers(target), numbers(score), weight=weights, **options)
            ctx.save_for_backward(torch.from_numpy(gradient).to(score).reshape(score.shape))
            return score.new_tensor(1 - value)

        @staticmethod
        def backward(ctx: Any, outer: Any) -> tuple[Any, None, None, None]:
            if torch.is_grad_enabled():  # the result would count as a constant, silently
                raise CurvewiseError("PartialAucLoss has no second derivative, which create_graph=True asks for.")
            (gradient,) = ctx.saved_tensors
            return -outer * gradient, None, None, None

    return OneMinusPartialAuc
