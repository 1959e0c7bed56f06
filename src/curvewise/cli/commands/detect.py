"""``curvewise detect``: everything about one or several detectors, from files of objects and of detections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curvewise.cli.fail_under import FAIL_UNDER, Bars, full_names, hold_to
from curvewise.cli.file_rows import option_text
from curvewise.cli.options import (
    CONFIG,
    NO_INTERVALS,
    RESAMPLING,
    flag,
    format_for,
    make_command,
    number,
    option,
    output_options,
)
from curvewise.cli.output import emit, mention, put, screen, steps
from curvewise.errors import CurvewiseError, MissingExtraError, OptionError, SourceError
from curvewise.words import LANGS, Lang

FORMATS = ("table", "json", "md", "csv", "html")
INTERPOLATIONS = click.Choice(("101-point", "11-point", "all-point", "step"))
FORMS = ("xywh", "xyxy", "cxcywh")
LIKE: dict[str, dict[str, Any]] = {"pycocotools": {"ties": "row", "interpolation": "101-point (pycocotools)"}}


def _forms(text: str) -> Any:
    """Read one form of boxes, or two."""
    forms = tuple(part.strip() for part in text.split(","))
    if len(forms) > 2 or not set(forms) <= set(FORMS):
        raise click.BadParameter(f"{text!r} is not one of {', '.join(FORMS)}, nor two of them, as xywh,xyxy.")
    return forms[0] if len(forms) == 1 else forms


def _class(text: str) -> Any:
    """Read the name of a class, or its number."""
    return int(text) if text.isdigit() else text


@make_command(
    "detect",
    click.argument("truth", type=click.Path()),
    click.argument("found", nargs=-1, required=True, type=click.Path()),
    option(
        "--name TEXT",
        "Name of a detector, in the order of its files; default: the file's.",
        multiple=True,
        into="names",
    ),
    option("--rule", "How detections are matched to objects.", ("coco", "voc", "lvis")),
    option(
        "--iou X", "Least overlap of a match; repeatable. Default: .5, .55 … .95, for VOC .5.", float, multiple=True
    ),
    option(
        "--max-detections N",
        "Detections per image and class; 0 takes all. Default: that of the rule.",
        click.IntRange(0),
    ),
    option("--class NAME", "Evaluate only this class; repeatable.", _class, into="classes", multiple=True),
    option("--boxes FORM", "Boxes are xywh (default), xyxy or cxcywh; xywh,xyxy where FOUND differs.", _forms),
    option("--pixels", "Whether both ends of a box lie inside it (VOC's devkit).", ("real", "inclusive")),
    option("--sizes W H", "Width and height of all images, for boxes that are shares of the image.", float, nargs=2),
    option("--score X", "One score for all detections, where there are none.", number),
    flag("--masks", "Compare segmentations instead of boxes (needs pycocotools)."),
    option("--ties", "How tied scores enter: together, or in row order.", ("block", "row")),
    option(
        "--interpolation",
        "How points of a precision-recall curve are joined; default: as the rule does.",
        INTERPOLATIONS,
    ),
    option("--like", "Count as this program does.", click.Choice(tuple(LIKE))),
    option("--absent", "Classes without an object: left out of means, 0, or an error.", ("skip", "zero", "raise")),
    option("--unknown", "Detections in images or of classes that TRUTH does not list.", ("raise", "drop")),
    option("--missing", "Stop at a missing value, or leave such rows out.", ("raise", "drop")),
    option("--threshold X", "Show detections from this score on; default: the best F1 of each detector.", number),
    option("--at-iou X", "Overlap that makes a detection correct, at a threshold and for errors; default: 0.5.", float),
    option("--by NAME", "Only the table by class, area, iou, or an attribute of the images."),
    option("--sort", "Order of the classes.", ("worst", "name", "objects")),
    flag("--errors", "Only what goes wrong, by type and class."),
    option("--cluster NAME", "Attribute of the images that belong together (a video, a patient)."),
    *RESAMPLING,
    NO_INTERVALS,
    option("--lang", "Language of the page.", LANGS),
    option("--title TEXT", "Title of the page."),
    option("--author TEXT", "Author, shown below the title."),
    FAIL_UNDER,
    *output_options(
        FORMATS,
        "Numbers as a table, data, Markdown or CSV, or a page; default: what the ending of -o says, else table.",
        "Write to a file instead of the terminal.",
    ),
    CONFIG,
)
def command(
    truth: str,
    found: tuple[str, ...],
    names: tuple[str, ...],
    form: str | None,
    output: str | None,
    lang: Lang,
    title: str | None,
    author: str | None,
    fail_under: Bars | None,
    by: str | None,
    sort: str,
    *,
    errors: bool,
    force: bool,
    **given: Any,
) -> None:
    """Evaluate the detections in FOUND against the objects annotated in TRUTH.

    COCO's twelve numbers, average precision of each class with its interval, what goes wrong, what a threshold does,
    and of several detectors which one is better. TRUTH is COCO or LVIS JSON, a folder of YOLO or VOC files, or a table
    with columns image, class, x, y, w, h; FOUND likewise, with scores.

    \b
    curvewise detect truth.json detections.json
    curvewise detect truth.json a.json b.json -o detectors.html
    curvewise detect truth.json a.json --by class --sort worst --format csv -o classes.csv
    curvewise detect truth.json a.json --threshold 0.4
    curvewise detect truth.json a.json --errors
    curvewise detect annotations/ found.csv --rule voc --boxes xyxy --pixels inclusive --interpolation 11-point
    curvewise detect truth.json a.json --like pycocotools --fail-under ap=0.37,ap50=0.55
    """  # noqa: D301 - click wants the backspace itself
    wanted = format_for(form, output, FORMATS)
    for name, said in (("lang", None if lang == "en" else lang), ("title", title), ("author", author)):
        if said is not None and wanted != "html":
            raise click.UsageError(f"--{name}: only the page shows it, not {wanted}; write it with -o page.html.")
    if wanted == "html" and (by in ("class", "area", "iou") or errors):
        raise click.UsageError(f"--{'errors' if errors else 'by'}: the page shows it anyway; leave it out.")
    if errors and by:
        raise click.UsageError("--by, --errors: each is a table of its own; give one of them.")
    if given["threshold"] is not None and wanted != "html" and (by or errors):
        raise click.UsageError(
            f"--threshold: has no meaning with --{'errors' if errors else 'by'} alone; leave it out."
        )
    if given["cluster"] is not None and not given["intervals"]:
        raise click.UsageError("--cluster: counts in intervals alone; leave out --no-intervals.")
    detectors = dict(zip(_names(found, names), found, strict=True))
    matching = _matching(given)
    from curvewise.results.writing import output_path, write_atomically  # noqa: PLC0415 - checks first

    path = output_path(output, truth, force=force)
    for source in found:
        output_path(output, source, force=force)
    from curvewise.cli.detection import bars_of, detection_document, page_summary  # noqa: PLC0415 - --help needs no NumPy
    from curvewise.evaluation.detectors import evaluate  # noqa: PLC0415

    try:
        bars = full_names(fail_under, find=bars_of(matching), intervals=given["intervals"])
        attribute = by if by not in (None, "class", "area", "iou") else None
        with steps() as step:
            step("reading and matching")
            evaluation = evaluate(
                truth,
                detectors,
                by=() if attribute is None else attribute,
                rng=given.pop("seed"),
                **{
                    name: given[name] for name in ("threshold", "at_iou", "level", "replicates", "cluster", "intervals")
                },
                **matching,
            )
            step("resampling images")
            hold_to(bars, ((d.name, "", e) for d in evaluation.detectors.values() for e in d.summary.numbers.values()))
            if wanted == "html":
                from curvewise.pages.detectors.page import render_detection_page  # noqa: PLC0415 - needs matplotlib

                step("drawing")
                page = render_detection_page(evaluation, lang, title=title, author=author)
            else:
                asked = {"detectors": detectors, **given, **matching}
                document = detection_document(evaluation, truth, asked, by=by, sort=sort, errors=errors)
    except CurvewiseError as error:
        raise _translated(error) from None
    if wanted != "html":
        return emit(document, wanted, path, force=force)
    if path is None:
        return put(page, exactly=True)
    write_atomically(path, page.encode(), force=force)
    return mention(page_summary(evaluation, str(path), screen(lang)))


def _names(found: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    """Return what each detector is called: as asked for, else as its file is, with its folder where two are alike."""
    if names and len(names) != len(found):
        raise click.UsageError(f"--name: expected one for each of {len(found)} files of detections, got {len(names)}.")
    called = list(names) or [Path(source).name.partition(".")[0] or source for source in found]
    if len(set(called)) < len(called) and not names:
        called = list(found)
    if len(set(called)) < len(called):
        raise click.UsageError("FOUND: a file or a name is given twice; name each detector with --name.")
    return called


def _matching(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options of matching out of those given."""
    like = LIKE.get(given.pop("like") or "", {})
    for name in like:
        if given[name] not in (None, "block"):
            raise click.UsageError(f"--{name}: has no meaning with --like, which says how to count.")
    limit = given.pop("max_detections")
    matching = {name: given.pop(name) for name in ("rule", "pixels", "absent", "unknown", "missing", "score")}
    matching |= {name: given.pop(name) for name in ("ties", "interpolation")} | like
    matching["boxes"] = given.pop("boxes") or "xywh"
    matching["iou"] = list(given.pop("iou")) or None
    matching["classes"] = list(given.pop("classes")) or None
    matching["sizes"] = given.pop("sizes") or None
    matching["max_detections"] = "rule" if limit is None else limit or None
    matching["overlap"] = "mask" if given.pop("masks") else None
    return matching


def _translated(error: CurvewiseError) -> Exception:
    """Return an error in the words of the command line."""
    if isinstance(error, (SourceError, MissingExtraError)):
        return error
    text = error.in_words(option_text)
    return click.UsageError(text) if isinstance(error, OptionError) else type(error)(text)
