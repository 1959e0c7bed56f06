"""Say whether the tests of other packages are due: what they test, here or there, has changed since they last passed.

``make peers`` runs them and keeps what they ran on (``--write``); ``.ci/run`` asks this file, and runs them if it ends
with 1.
"""

import json
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src/curvewise/sklearn", "src/curvewise/tuning", "src/curvewise/objectives", "tests/sklearn")
PACKAGES = ("scikit-learn", "pycocotools")
KEPT = ROOT / "tests/reference/peers.json"


def state():
    digest = sha256()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return {"code": digest.hexdigest(), **{name: version(name) for name in PACKAGES}}


def main():
    now = state()
    if "--write" in sys.argv:
        KEPT.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
        return 0
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    changed = [name for name in now if now[name] != kept.get(name)]
    print(
        f"make peers is due: changed since it last passed: {', '.join(changed)}" if changed else "make peers is not due"
    )
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
