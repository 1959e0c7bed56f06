"""How the numbers are made, in words, with references; and how this page was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curvewise.document.blocks import Facts, Points, Section, Text

if TYPE_CHECKING:
    from curvewise.report.paper import Paper

REFERENCES = {
    "sweep": "Fawcett (2006) Pattern Recognition Letters 27:861–874.",
    "roc_auc": "Hanley & McNeil (1982) Radiology 143:29–36. DeLong, DeLong & Clarke-Pearson (1988) "
    "Biometrics 44:837–845.",
    "partial_roc_auc": "McClish (1989) Medical Decision Making 9:190–195. Dodd & Pepe (2003) Biometrics "
    "59:614–623.",
    "pr": "Davis & Goadrich (2006) ICML, 233–240. Keilwagen, Grosse & Grau (2014) PLoS ONE 9:e92209. Saito & "
    "Rehmsmeier (2015) PLoS ONE 10:e0118432.",
    "equal_error_rate": "Martin et al. (1997) Eurospeech, 1895–1898. Brümmer & de Villiers (2013) "
    "arXiv:1304.2865.",
    "h_measure": "Hand (2009) Machine Learning 77:103–123.",
    "rates": "Wilson (1927) J. Am. Stat. Assoc. 22:209–212. Brown, Cai & DasGupta (2001) Statist. Sci. "
    "16:101–133.",
    "prevalence": "Mercaldo, Lau & Zhou (2007) Statistics in Medicine 26:2170–2183.",
    "costs": "Metz (1978) Semin. Nucl. Med. 8:283–298. Provost & Fawcett (2001) Machine Learning 42:203–231. "
    "Drummond & Holte (2006) Machine Learning 65:95–130.",
    "optimism": "Efron & Tibshirani (1997) J. Am. Stat. Assoc. 92:548–560.",
    "decision": "Vickers & Elkin (2006) Med. Decis. Making 26:565–574.",
    "comparison": "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44:837–845. Holm (1979) Scand. J. "
    "Statist. 6:65–70.",
    "clusters": "Obuchowski (1997) Biometrics 53:567–578.",
    "losses": "Brier (1950) Monthly Weather Review 78:1–3. Good (1952) J. R. Stat. Soc. B 14:107–114. "
    "Dimitriadis, Gneiting & Jordan (2021) PNAS 118:e2016191118.",
    "calibration": "Cox (1958) Biometrika 45:562–565. Van Calster et al. (2019) BMC Medicine 17:230. Austin "
    "& Steyerberg (2019) Statist. Med. 38:4051–4065.",
    "groups": "Hardt, Price & Srebro (2016) NeurIPS. Kleinberg, Mullainathan & Raghavan (2016) "
    "arXiv:1609.05807. Chouldechova (2017) Big Data 5:153–163. Newcombe (1998) Statist. Med. 17:873–890.",
    "sites": "Viechtbauer (2005) J. Educ. Behav. Stat. 30:261–293. Hartung & Knapp (2001) Statist. Med. "
    "20:3875–3889. Debray et al. (2017) BMJ 356:i6460.",
    "classes": "Hand & Till (2001) Machine Learning 45:171–186.",
}


def methods(paper: Paper) -> Section:
    """Write how each number is defined, of those that the page shows."""
    w = paper.w
    said = [
        Text(w(f"method.{name}"), title=w(f"method.{name}.title"), sub=reference)
        for name, reference in REFERENCES.items()
        if name in _used(paper)
    ]
    return Section("methods", w("section.methods"), [Text(w("methods.lead"), "lead"), Points(said)])


def _used(paper: Paper) -> set[str]:
    document, models = paper.document, paper.models
    used = set()
    if models:
        used |= {"sweep", "roc_auc", "pr"}
    estimates = {name for m in models for name, e in (m.get("estimates") or {}).items() if e}
    used |= estimates & {"partial_roc_auc", "equal_error_rate", "h_measure"}
    points = [m["point"] for m in models if m.get("point")]
    used |= {"rates", "prevalence", "costs"} if points else set()
    used |= {"optimism"} if any(p.get("optimism") for p in points) else set()
    used |= {"decision"} if any(m.get("decision") for m in models) else set()
    used |= {"losses", "calibration"} if any(m.get("probabilities") for m in models) else set()
    used |= {"clusters"} if document["data"].get("clusters") is not None else set()
    return used | {
        name
        for name, key in (
            ("comparison", "comparison"),
            ("groups", "groups"),
            ("sites", "sites"),
            ("classes", "multiclass"),
        )
        if document.get(key)
    }


def made(paper: Paper) -> Section:
    """Write how the page was made, so that it can be made again."""
    w, found, options = paper.w, paper.document["made"], paper.document["options"]
    rows = [("version", f"curvewise {paper.document['curvewise']}", False)]
    rows += [(k, str(found[k]), True) for k in ("command", "source", "sha256") if found[k] is not None]
    rows += [("seed", str(found["seed"]), True)] if found["seed"] is not None else []
    rows.append(("level", w.numbers.level(paper.level), False))
    rows += [("rule", str(options["rule"]), True)] if options.get("rule") else []
    if options.get("costs"):
        rows.append(("costs", w("made.costs.said", **paper.costs), False))
    rows.append(("schema", f"{paper.document['schema']} {paper.document['version']}", True))
    facts = Facts([(w(f"made.{name}"), value, code) for name, value, code in rows])
    return Section("made", w("section.made"), [facts, Text(w("made.offline"), "note")])
