#!/usr/bin/env bash
# Run the README's test command as on a machine that has Python, make and gcc alone: a fresh clone, programs without
# Chromium, Java and PostgreSQL, no font but matplotlib's own, an empty home. Prints the time and the size it took.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
mkdir "$bare/programs" "$bare/home" "$bare/matplotlib"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
  for program in "$folder"/*; do
    case "${program##*/}" in
      *chrom* | java* | psql | pg_* | postgres* | initdb | fc-*) ;;
      *) if [ -x "$program" ] && [ ! -d "$program" ]; then ln -s "$program" "$bare/programs/${program##*/}" 2>/dev/null || true; fi ;;
    esac
  done
done
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')  # not a launcher that reads the home
ln -sf "$python" "$bare/programs/python3"
git clone --quiet "$root" "$bare/clone"
cd "$bare/clone"
unset CHROMIUM JAVA_HOME VIRTUAL_ENV
export PATH="$bare/programs" HOME="$bare/home" MPLCONFIGDIR="$bare/matplotlib"
SECONDS=0
make "$PWD/.venv/test.done" VENV="$PWD/.venv"
.venv/bin/python - <<'PY'
from matplotlib import font_manager as fonts, get_cachedir

fonts.fontManager.ttflist = [font for font in fonts.fontManager.ttflist if "mpl-data" in font.fname]
fonts.json_dump(fonts.fontManager, f"{get_cachedir()}/fontlist-v{fonts.FontManager.__version__}.json")
PY
make test VENV="$PWD/.venv"
echo "From the clone to the last test: $SECONDS s; .venv takes $(du -sm .venv | cut -f1) MB."
