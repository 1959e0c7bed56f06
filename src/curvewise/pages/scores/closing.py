"""Caveats of these data, how the numbers are made, and how the page was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise._version import __version__
from curvewise.document.blocks import Block, Facts, Fold, Heading, Points, Section, Text
from curvewise.evaluation.answers.verdicts import told_caveats
from curvewise.metric.registry import find
from curvewise.pages.cells import rule_of

if TYPE_CHECKING:
    from curvewise.pages.page import Page

# of what is no metric; a metric has its reference where it is defined
REFERENCES = {
    "sweep": "Fawcett (2006) Pattern Recognition Letters 27:861–874.",
    "pr": "Davis & Goadrich (2006) ICML, 233–240. Keilwagen, Grosse & Grau (2014) PLoS ONE 9:e92209. Saito & "
    "Rehmsmeier (2015) PLoS ONE 10:e0118432.",
    "rates": "Wilson (1927) J. Am. Stat. Assoc. 22:209–212. Brown, Cai & DasGupta (2001) Statist. Sci. 16:101–133.",
    "prevalence": "Mercaldo, Lau & Zhou (2007) Statistics in Medicine 26:2170–2183.",
    "costs": "Metz (1978) Semin. Nucl. Med. 8:283–298. Provost & Fawcett (2001) Machine Learning 42:203–231. "
    "Drummond & Holte (2006) Machine Learning 65:95–130.",
    "optimism": "Efron & Tibshirani (1997) J. Am. Stat. Assoc. 92:548–560.",
    "decision": "Vickers & Elkin (2006) Med. Decis. Making 26:565–574.",
    "comparison": "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837–845. Holm (1979) Scand. J. "
    "Statist. 6:65–70.",
    "clusters": "Obuchowski (1997) Biometrics 53:567–578.",
    "strata": "Korn & Graubard (1999) Analysis of Health Surveys, Wiley. Lumley (2004) J. Stat. Softw. 9(8):1–19.",
    "losses": "Brier (1950) Monthly Weather Review 78:1–3. Good (1952) J. R. Stat. Soc. B 14:107–114. "
    "Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118.",
    "calibration": "Cox (1958) Biometrika 45:562–565. Van Calster et al. (2019) BMC Medicine 17:230. Austin "
    "& Steyerberg (2019) Statist. Med. 38:4051–4065.",
    "groups": "Hardt, Price & Srebro (2016) NeurIPS. Kleinberg, Mullainathan & Raghavan (2016) "
    "arXiv:1609.05807. Chouldechova (2017) Big Data 5:153–163. Newcombe (1998) Statist. Med. 17:873–890.",
    "sites": "Viechtbauer (2005) J. Educ. Behav. Stat. 30:261–293. Hartung & Knapp (2001) Statist. Med. "
    "20:3875–3889. Debray et al. (2017) BMJ 356:i6460.",
    "folds": "Bengio & Grandvalet (2004) J. Mach. Learn. Res. 5:1089–1105. Nadeau & Bengio (2003) Machine Learning "
    "52:239–281. LeDell, Petersen & van der Laan (2015) Electron. J. Stat. 9:1583–1607.",
    "horizon": "Uno, Cai, Tian & Wei (2007) J. Am. Stat. Assoc. 102:527–537. Blanche, Dartigues & Jacqmin-Gadda "
    "(2013) Statist. Med. 32:5381–5397.",
    "concordance": "Harrell, Califf, Pryor, Lee & Rosati (1982) JAMA 247:2543–2546. Therneau & Watson (2017) Mayo "
    "Clinic Technical Report 85.",
    "brier_over_time": "Graf, Schmoor, Sauerbrei & Schumacher (1999) Statist. Med. 18:2529–2545. Kattan & Gerds (2018) "
    "Diagn. Progn. Res. 2:7.",
    "kaplan_meier": "Kaplan & Meier (1958) J. Am. Stat. Assoc. 53:457–481. Aalen & Johansen (1978) Scand. J. Statist. "
    "5:141–150.",
    "classes": "Hand & Till (2001) Machine Learning 45:171–186.",
}


def caveats(page: Page) -> Section:
    """Write what a careful reader should know of these data, warnings first, and what was left out."""
    w = page.w
    blocks: list[Block] = [Text(w("note.no_caveats"))]
    found = sorted(told_caveats(page.evaluation), key=lambda n: str(n.values["severity"]) != "warn")
    if found:
        said = []
        for note in found:
            model = note.values["model"]
            text = page.sentence(note)
            said.append(Text(text, note.values["severity"], title=model + w("colon") if model else ""))
        blocks = [Points(said)]
    if more := len(page.evaluation.notes) - len(found):
        blocks.append(Text(w("caveats.more", more=more), "note"))
    left = page.evaluation.left_out
    if left:
        said = [Text(page.of_model(n), title=w(f"part.{n.values['part']}") + w("colon")) for n in left]
        blocks += [Heading(w("caveats.left_out")), Points(said)]
    return Section("caveats", w("section.caveats"), blocks)


def methods(page: Page) -> Fold:
    """Write how each number is defined, of those that the page shows."""
    w = page.w
    names = dict.fromkeys(name for m in page.models for name in m.estimates)
    used = {name: find(name).reference for name in names} | {k: REFERENCES[k] for k in _used(page)}
    said = [
        Text(w(f"method.{name}"), title=w(f"method.{name}.title"), sub=reference)
        for name, reference in used.items()
        if f"method.{name}" in w
    ]
    return Fold(w("methods.fold", count=len(said)), [Text(w("methods.lead"), "lead"), Points(said)])


def _used(page: Page) -> list[str]:
    """Return the methods that the page rests on, in the order of `REFERENCES`."""
    found, models, points = page.evaluation, page.models, page.chosen.values()
    classes = found.classes
    there = {
        **dict.fromkeys(("sweep", "pr"), bool(models)),
        "rates": bool(points) or classes is not None,
        **dict.fromkeys(("prevalence", "costs"), bool(points)),
        "optimism": any(p.optimism is not None for p in points),
        "decision": any(m.decision is not None for m in models),
        **dict.fromkeys(("losses", "calibration"), any(m.is_probability for m in models)),
        **({"calibration": classes.are_probabilities} if classes is not None else {}),
        "clusters": found.data.get("clusters") is not None,
        "strata": found.data.get("strata") is not None,
        "comparison": found.comparison is not None,
        "groups": bool(found.groups) or (classes is not None and classes.groups is not None),
        "sites": bool(found.sites),
        "folds": found.folds is not None,
        "classes": found.multiclass is not None,
        **dict.fromkeys(("horizon", "concordance", "kaplan_meier"), found.survival is not None),
        "brier_over_time": found.survival is not None and bool(found.survival.predictions.by_time),
    }
    return [name for name in REFERENCES if there[name]]


def made(page: Page) -> Fold:
    """Write how the page was made, so that it can be made again."""
    w, found, options = page.w, page.evaluation, page.evaluation.options
    rows = [("version", f"curvewise {__version__}", False)]
    given = {"command": found.command, "source": found.origin.name, "sha256": found.origin.sha256}
    rows += [(k, v, True) for k, v in given.items() if v is not None]
    rows += [("seed", str(options.seed), True), ("level", w.numbers.level(page.level), False)]
    if found.multiclass is None:
        rows.append(("rule", rule_of(w, options.rule), False))
    if options.costs is not None:
        said = w("made.costs.said", **page.costs)
        rows.append(("costs", w("made.costs.by_row", mean=said) if options.rule.by_row else said, False))
    rows.append(("schema", f"{found.schema} {found.version}", True))
    facts = Facts([(w(f"made.{name}"), value, code) for name, value, code in rows])
    return Fold(w("data.made"), [facts, Text(w("made.offline"), "note")])
