"""What comes from data is only ever text: in the page, in its script's data, in its policy."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from curvewise.results.text import visible

ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def visible_all(value: Any) -> Any:
    """Write control and bidirectional characters of every text as escapes, names of fields included."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(k)): visible_all(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [visible_all(v) for v in value]
    return value


def script_json(data: Any) -> str:
    r"""Return JSON that cannot end the script element it stands in.

    >>> script_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(ESCAPED)


def policy(styles: list[str], scripts: list[str]) -> str:
    """Return a content security policy that allows these styles and scripts, by hash, and nothing else.

    Nothing is fetched, nothing is sent; ``data:`` is for the page's icon.
    """
    allowed = {
        "default-src": "'none'",
        "style-src": _hashes(styles),
        "script-src": _hashes(scripts),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {source}" for name, source in allowed.items())


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(t.encode()).digest() for t in texts)
    return " ".join(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests) or "'none'"
