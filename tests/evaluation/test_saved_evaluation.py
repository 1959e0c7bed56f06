"""A saved evaluation comes back whole; what was changed, damaged or never was one is refused in a sentence."""

import copy
import json
import math
import random

import numpy as np
import pytest

import curvewise as cw
from pages import sample

KINDS = {
    "screening": sample.screening,
    "one model": sample.one_model,
    "many classes": sample.many_classes,
    "no threshold": sample.no_choice,
    **{name: lambda text=text: sample.hostile(text) for name, text in sample.HOSTILE.items()},
}
QUICK = {"replicates": 20}


@pytest.fixture(scope="module")
def saved():
    return sample.one_model().to_dict()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_saved_comes_back(kind):
    ev = KINDS[kind]()
    data = json.loads(json.dumps(ev.to_dict()))
    back = cw.Evaluation.from_dict(data)
    assert back.to_dict() == data
    assert list(back.to_dict())[:2] == ["schema", "version"]
    assert back.metrics() == ev.metrics()
    assert str(back.statement) == str(ev.statement)
    assert list(map(str, back.notes)) == list(map(str, ev.notes))
    assert list(map(str, back.left_out)) == list(map(str, ev.left_out))


def test_models_come_back_as_objects():
    ev = sample.screening()
    back = cw.Evaluation.from_dict(ev.to_dict())
    assert isinstance(back, cw.results.SavedEvaluation)
    assert back.version == ev.version
    assert (back.origin.sha256, back.command, back.level) == (ev.origin.sha256, ev.command, 0.95)
    assert str(back.prevalence) == str(ev.prevalence)
    for name, model in ev.models.items():
        last = back.models[name]
        assert last.is_probability == model.is_probability
        assert {k: str(e) for k, e in last.estimates.items()} == {k: str(e) for k, e in model.estimates.items()}
        assert last.estimates["roc_auc"].standard_error == model.estimates["roc_auc"].standard_error
        assert last.histogram.table.columns == model.histogram.table.columns
        assert last.sweep == model.thinned
        assert str(last.calibration) == str(model.calibration)
        assert last.point.threshold == model.point.threshold
        assert last.point.stated_prevalence == 0.02
        assert last.point.confusion == model.point.confusion
        assert {k: e.brief() for k, e in last.point.expected.items()} == {
            k: e.brief() for k, e in model.point.expected.items()
        }


def test_quantiles_hold_every_per_cent_of_each_class():
    model = sample.screening().models["model_a"]
    whole, kept = model.sweep, model.quantiles
    assert len(kept.threshold) < len(whole.threshold)
    assert (kept.positives, kept.negatives) == (whole.positives, whole.negatives)
    for t in whole.threshold[:: len(whole.threshold) // 97]:
        exact, near = whole.at(float(t)), kept.at(float(t))
        assert 0 <= (exact.tp - near.tp) / whole.positives < 0.01
        assert 0 <= (exact.fp - near.fp) / whole.negatives < 0.01
    few = cw.evaluate({"y": [0, 1, 0, 1], "s": [1, 2, 2, 3]}, label="y", scores="s", **QUICK).models["s"]
    assert few.quantiles == few.sweep


def test_the_saved_dict_is_a_copy(saved):
    mine = copy.deepcopy(saved)
    back = cw.Evaluation.from_dict(mine)
    mine["models"].clear()
    back.to_dict()["models"].clear()
    assert back.to_dict() == saved


def test_prevalence_has_wilsons_interval_of_the_rows():
    ev = sample.one_model()
    assert (ev.prevalence.low, ev.prevalence.high) == cw.rate_interval(124, 4060)
    assert ev.to_dict()["data"]["prevalence_low"] == ev.prevalence.low
    alike = {"y": [0] * 20 + [1] * 20, "s": range(40), "c": np.arange(40) // 4}  # rows of a cluster have one label
    clustered = cw.evaluate(alike, label="y", scores="s", cluster="c", **QUICK).prevalence
    assert clustered.low < cw.rate_interval(5, 10)[0] + 0.001 < cw.rate_interval(20, 40)[0]


def test_curves_can_be_drawn_of_what_was_saved():
    axes = cw.Evaluation.from_dict(sample.screening().to_dict()).plot()
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert any("model_a" in text and "0.861" in text for text in shown)  # the area that was saved


def put(data, path, value):
    """Return a copy of a dict in which one field is another, or is gone."""
    data = copy.deepcopy(data)
    *way, last = path
    inside = data
    for step in way:
        inside = inside[step]
    if value is ...:
        del inside[last]
    else:
        inside[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("schema",), "curvewise.metrics", r"expected an evaluation .* got schema 'curvewise.metrics'\.$"),
        (("version",), 2, "expected version 1 .* got 2; another version"),
        (("version",), None, "got None"),
        (("version",), "1", "expected version"),
        (("made",), ..., "the field 'made' is missing"),
        (("options",), [], r"data\.options: expected an object, got \[\]"),
        (("options", "level"), 95, "level: expected a number between 0 and 1, got 95"),
        (("options", "scores"), "model_a", "scores: expected a list of names"),
        (("models",), {}, r"data\.models: expected a list"),
        (("models",), [], "there is no model"),
        (("models", 0), "model_a", r"models\[0\]: expected an object"),
        (("models", 0, "name"), 7, r"models\[0\]\.name: expected a text, got 7"),
        (("models", 0, "estimates", "roc_auc", "value"), "0.8", r"roc_auc\.value: expected a number, got '0\.8'"),
        (("models", 0, "estimates", "roc_auc", "value"), True, "expected a number, got True"),
        (("models", 0, "estimates", "roc_auc", "value"), 10**400, "expected a number that fits"),
        (("models", 0, "estimates", "roc_auc", "low"), 0.99, "at most the upper end"),
        (("models", 0, "estimates", "roc_auc", "level"), 1, "between 0 and 1"),
        (("models", 0, "estimates", "roc_auc", "notes"), [1], r"notes\[0\]: expected an object"),
        (("models", 0, "quantiles"), ..., "the field 'quantiles' is missing"),
        (("data", "prevalence_low"), ..., "the field 'prevalence_low' is missing"),
        (("models", 0, "sweep", "threshold"), ..., "the field 'threshold' is missing"),
        (("models", 0, "sweep", "threshold", 0), None, r"threshold\[0\]: expected a number, got None"),
        (("models", 0, "sweep", "threshold", 0), -1.0, "Thresholds must fall"),
        (("models", 0, "sweep", "tp"), [1], "equally long"),
        (("models", 0, "sweep", "positives"), 1, "positives: expected at least the last count"),
        (("models", 0, "sweep", "higher_is"), "up", "higher_is: expected one of"),
        (("models", 0, "histogram", "from", 3), 0.9, "rising bins"),
        (("models", 0, "histogram", "positives", 3), -1, "rising bins"),
        (("models", 0, "histogram", "to"), [], "rising bins"),
        (("models", 0, "point", "confusion", "tp"), -1, r"confusion\.tp: expected a finite count"),
        (("models", 0, "point", "flags_nothing"), 0, "expected true or false, got 0"),
        (("models", 0, "calibration", "slope"), None, r"calibration\.slope: expected an object"),
        (("models", 0, "calibration", "bins"), -2, "a whole number of at least 0"),
        (("notes",), "none", r"data\.notes: expected a list"),
    ],
)
def test_what_curvewise_never_wrote_is_refused(saved, path, value, said):
    with pytest.raises(cw.CurvewiseError, match=said) as error:
        cw.Evaluation.from_dict(put(saved, path, value))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("data", [None, [], "report.json", 3, {}, {"schema": 1}])
def test_what_is_no_dict_of_an_evaluation_is_refused(data):
    with pytest.raises(cw.CurvewiseError, match="expected an evaluation"):
        cw.Evaluation.from_dict(data)


def test_what_json_cannot_hold_is_refused(saved):
    for value in (math.nan, object(), {1, 2}):
        with pytest.raises(cw.CurvewiseError, match="which JSON can hold"):
            cw.Evaluation.from_dict(put(saved, ("command",), value))


def test_two_models_of_one_name_are_refused(saved):
    with pytest.raises(cw.CurvewiseError, match="the same name"):
        cw.Evaluation.from_dict({**saved, "models": saved["models"] * 2})


def test_a_note_that_this_version_would_not_say_so_keeps_its_sentence(saved):
    for note in (
        {"code": "from_the_future", "values": {}, "text": "Something new."},
        {"code": "dropped_rows", "values": {"rows": "many"}, "text": "Many rows."},
        {"code": "dropped_rows", "values": {"rows": 3}, "text": "<b>Changed</b>"},
    ):
        back = cw.Evaluation.from_dict({**saved, "notes": [note]})
        assert [n.text(lang) for n in back.notes for lang in ("en", "zh")] == [note["text"]] * 2


def places(value, way=()):
    """Yield the way to every field, of a list to its first and last."""
    keys = list(value) if isinstance(value, dict) else sorted({0, len(value) - 1}) if isinstance(value, list) else []
    for key in keys if value else []:
        yield (*way, key)
        yield from places(value[key], (*way, key))


def test_any_damage_is_refused_or_harmless(saved):
    draw = random.Random(4)
    ways = [way for way in places(saved) if way[0] in ("made", "options", "data", "models", "notes", "left_out")]
    values = (None, -1, 1e308, 2**70, "x", "inf", [], {}, True, [None], {"a": 1}, ...)
    now = cw.evaluate({"y": [0, 1, 0, 1, 1], "s": [1, 2, 3, 4, 5]}, label="y", scores="s", **QUICK)
    refused = 0
    for _ in range(250):
        try:
            back = cw.Evaluation.from_dict(put(saved, draw.choice(ways), draw.choice(values)))
            found = now.compare(back)
        except cw.CurvewiseError:
            refused += 1
        else:
            json.dumps([back.to_dict(), found.to_dict()], allow_nan=False)
            assert all(n.text("zh") for n in (*found.verdicts, *found.notes))
    assert 50 < refused < 250


def test_it_says_what_it_does_not_have(saved):
    text = str(cw.Evaluation.from_dict(saved))
    assert "Rows are not saved" in text
    assert "4,060 rows, 124 positive" in text
