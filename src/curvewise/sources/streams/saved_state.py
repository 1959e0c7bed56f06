"""What counts rows, saved and restored: bytes without pickle, with a version and a checksum, and a dict for JSON."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any, ClassVar, Self

from curvewise.errors import CurvewiseError

SIZE = 8  # bytes that say how long the heading is
SUM = 4  # bytes of the checksum


class SavedState:
    """What can be saved as a heading that JSON can hold, and a body of bytes."""

    schema: ClassVar[str]
    version: ClassVar[int] = 1

    def _saved(self) -> tuple[dict[str, Any], bytes]:
        """Return heading and body."""
        raise NotImplementedError

    @classmethod
    def _restored(cls, head: dict[str, Any], body: bytes) -> Self:
        """Make it anew; whatever does not fit may raise KeyError, TypeError or ValueError."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return it as a versioned dict that JSON can hold; `from_dict` reads it back exactly."""
        data = base64.b64encode(self.to_bytes()).decode("ascii")
        return {"schema": self.schema, "version": self.version, "data": data}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read what `to_dict` wrote; anything else is refused."""
        if not isinstance(data, dict) or data.get("schema") != cls.schema or data.get("version") != cls.version:
            raise CurvewiseError(
                f"Expected a dict with schema {cls.schema!r} of version {cls.version}, as to_dict writes it."
            )
        try:
            packed = base64.b64decode(data["data"], validate=True)
        except (KeyError, TypeError, ValueError):
            raise cls._damaged() from None
        return cls.from_bytes(packed)

    def to_bytes(self) -> bytes:
        """Return it in a compact form that `from_bytes` reads back exactly, without pickle."""
        head, body = self._saved()
        text = json.dumps({"version": self.version, **head}).encode()
        packed = len(text).to_bytes(SIZE, "little") + text + body
        return self._mark() + zlib.crc32(packed).to_bytes(SUM, "little") + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` wrote; anything else, and anything damaged, is refused."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise CurvewiseError(f"Expected bytes, as {cls.__name__}.to_bytes wrote them, got a {type(data).__name__}.")
        data, mark = bytes(data), cls._mark()
        start = len(mark) + SUM
        if not data.startswith(mark) or zlib.crc32(data[start:]).to_bytes(SUM, "little") != data[len(mark) : start]:
            raise cls._damaged()
        ends = start + SIZE + int.from_bytes(data[start : start + SIZE], "little")
        try:  # a checksum can be made for anything
            head = json.loads(data[start + SIZE : ends])
            version = head["version"]
        except (KeyError, TypeError, ValueError, RecursionError):
            raise cls._damaged() from None
        if version != cls.version:
            raise CurvewiseError(f"Expected a {cls.__name__} of version {cls.version}, got {str(version)[:20]!r}.")
        try:
            return cls._restored(head, data[ends:])
        except (KeyError, TypeError, ValueError, OverflowError, zlib.error):
            raise cls._damaged() from None

    @classmethod
    def _mark(cls) -> bytes:
        return cls.schema.encode() + b"\x00"

    @classmethod
    def _damaged(cls) -> CurvewiseError:
        return CurvewiseError(f"Expected what {cls.__name__} has saved; this is something else, or damaged.")
