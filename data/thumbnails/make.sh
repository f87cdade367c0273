#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws the pictures of the experiments anew: runs every experiment to its end, opens the run in the window on a display of
# its own and asks it for a thumbnail. Usage: data/thumbnails/make.sh [NAME...]; build/lacuna must be built.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly program=$PWD/${LACUNA_BUILD:-build}/lacuna
readonly application=io.github.lacuna.Lacuna path=/io/github/lacuna/Lacuna/window/1

call() {
  gdbus call --session --dest "$application" --object-path "$path" --method "org.gtk.Actions.$1" "${@:2}" >/dev/null 2>&1
}

# In a session bus of its own: the window, the thumbnail, the end of the window.
if [ "${1:-}" = --draw ]; then
  "$program" "$2" &
  window=$!
  trap 'kill $window' EXIT
  for _ in $(seq 100); do
    call Activate thumbnail-to "[<'$3'>]" '{}' && [ -s "$3" ] && exit 0
    sleep 0.1
  done
  echo "make.sh: the window drew no thumbnail of $2" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- $("$program" list --json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(*(e["name"] for e in (d["experiments"] if isinstance(d, dict) else d)))')
for name; do
  "$program" run "$name" --out "$scratch" --quiet
  run=$(ls -d "$scratch/$name"-*.lacuna)
  rm -f "resources/thumbnails/$name.png"
  GSETTINGS_BACKEND=memory xvfb-run -a dbus-run-session -- "$0" --draw "$run" "$PWD/resources/thumbnails/$name.png"
done
