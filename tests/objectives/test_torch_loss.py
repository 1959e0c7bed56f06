"""The loss for PyTorch: value, gradient, dtype, batches, what is refused."""

import sys

import numpy as np
import pytest

import curvewise as cw
from curvewise.objectives import torch_loss


def test_without_torch_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    torch_loss._function.cache_clear()
    with pytest.raises(cw.MissingExtraError, match=r"pip install 'curvewise\[torch\]'"):
        cw.objectives.PartialAucLoss()(None, None)


def test_options_are_checked_at_once():
    with pytest.raises(cw.OptionError, match="fpr: expected"):
        cw.objectives.PartialAucLoss(fpr=1.5)


@pytest.fixture
def batch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(2)
    y = rng.random(300) < 0.3
    return torch, torch.tensor(rng.normal(size=300) + y, dtype=torch.float64), torch.tensor(y)


@pytest.mark.parametrize("options", [{}, {"fpr": (0.1, 0.3), "tpr": 0.5}, {"fpr": 1.0, "spread": 2.0}], ids=str)
def test_value_and_gradient_are_those_of_partial_auc(batch, options):
    torch, score, y = batch
    score.requires_grad_()
    weight = torch.linspace(0.5, 2, 300)
    loss = cw.objectives.PartialAucLoss(**options)(score, y, weight)
    (3 * loss).backward()
    value, gradient = cw.objectives.partial_auc(y.numpy(), score.detach().numpy(), weight=weight.numpy(), **options)
    assert loss.item() == 1 - value
    np.testing.assert_allclose(score.grad.numpy(), -3 * gradient, rtol=1e-15)


def test_gradcheck(batch):
    torch, score, y = batch
    few = torch.cat([torch.nonzero(y)[:8, 0], torch.nonzero(~y)[:12, 0]])
    loss = cw.objectives.PartialAucLoss(fpr=0.4)
    assert torch.autograd.gradcheck(lambda s: loss(s, y[few]), (score[few].clone().requires_grad_(),))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_dtype_and_shape_are_those_of_the_scores(batch, dtype):
    torch, score, y = batch
    column = score.to(getattr(torch, dtype)).reshape(-1, 1).requires_grad_()
    loss = cw.objectives.PartialAucLoss()(column, y.reshape(-1, 1).float())
    loss.backward()
    assert loss.dtype == column.dtype
    assert loss.shape == ()
    assert column.grad.shape == column.shape
    assert column.grad.dtype == column.dtype


def test_a_second_derivative_is_refused(batch):
    torch, score, y = batch
    score.requires_grad_()
    loss = cw.objectives.PartialAucLoss()(score, y)
    with pytest.raises(cw.CurvewiseError, match="no second derivative"):
        torch.autograd.grad(loss, score, create_graph=True)


def test_a_batch_of_one_class_is_refused(batch):
    _, score, y = batch
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes: 0 of"):
        cw.objectives.PartialAucLoss()(score[~y], y[~y].int())


def test_a_network_learns(batch):
    torch, _, _ = batch
    torch.manual_seed(1)
    y = torch.rand(600) < 0.3
    x = torch.randn(600, 3) + y[:, None] * torch.tensor([1.0, 0.5, 0.0])
    model = torch.nn.Linear(3, 1)
    steps = torch.optim.Adam(model.parameters(), lr=0.05)
    loss = cw.objectives.PartialAucLoss(fpr=0.1)
    losses = []
    for _ in range(60):
        steps.zero_grad()
        now = loss(model(x), y)
        now.backward()
        steps.step()
        losses.append(now.item())
    assert losses[-1] < losses[0] - 0.05
