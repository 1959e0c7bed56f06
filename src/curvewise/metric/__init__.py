"""Every number read from a sweep, registered where it is defined; here the facts that several share."""

from typing import Any

SHARE: dict[str, Any] = {"unit": "share", "low": 0.0, "high": 1.0}
AREA: dict[str, Any] = {"unit": "area", "low": 0.0, "high": 1.0}
