#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the screenshots of this folder from the real window on a virtual display. Live pages show three methods each; the two compared runs
# are of the same flow; all other pictures are of the default experiment.
# Usage: docs/screenshots/make.sh; build/lacuna must be built.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/docs/screenshots program=$PWD/${LACUNA_BUILD:-build}/lacuna

call() {
  gdbus call --session --dest io.github.lacuna.Lacuna --object-path /io/github/lacuna/Lacuna/window/1 \
    --method "org.gtk.Actions.$1" "${@:2}" 2>/dev/null
}

shoot() { # PAGE FILE
  call Activate show-page "[<'$1'>]" '{}' >/dev/null
  sleep 1.5
  rm -f "$here/$2"
  call Activate screenshot-to "[<'$here/$2'>]" '{}' >/dev/null
  for _ in $(seq 100); do
    [ -s "$here/$2" ] && break
    sleep 0.2
  done
  sleep 1
}

open_window() { # STATE OF THE RUN THAT IS WAITED FOR, ARGUMENTS...
  "$program" "${@:2}" &
  window=$!
  trap 'kill $window' EXIT
  for _ in $(seq 600); do
    call Describe run-state | grep -q "$1" && break
    sleep 0.2
  done
}

# In a session bus of its own: a run that has ended, then the live page.
if [ "${1:-}" = --open ]; then
  open_window none
  call Activate open-path "[<'$2'>]" '{}' >/dev/null
  sleep 2
  call Activate smooth '[]' '{}' >/dev/null
  call Activate view "[<'${4:-fields}'>]" '{}' >/dev/null
  sleep 6
  shoot live "$3"
  exit 0
fi

# In a session bus of its own: the runs there are, then two of them beside each other.
if [ "${1:-}" = --compare ]; then
  open_window none
  call Activate show-page "[<'runs'>]" '{}' >/dev/null
  sleep 3
  call Activate compare-runs "[<['$2', '$3']>]" '{}' >/dev/null
  sleep 5
  shoot compare compare.png
  shoot runs runs.png
  exit 0
fi

# In a session bus of its own: one run, then the pages that were asked for, as PAGE FILE pairs.
if [ "${1:-}" = --shoot ]; then
  shift
  open_window ended --start kolmogorov
  sleep 6 # the toast that announces the end goes away
  while [ $# -gt 0 ]; do
    shoot "$1" "$2"
    shift 2
  done
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime"
export HOME=$scratch XDG_RUNTIME_DIR=$scratch/runtime XDG_DATA_HOME=$scratch/data GSETTINGS_BACKEND=memory GDK_BACKEND=x11
export LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1 ADW_DISABLE_PORTAL=1 GIO_USE_VFS=local

on_display() { # WIDTHxHEIGHT SCHEME ARGUMENTS...
  ADW_DEBUG_COLOR_SCHEME=$2 xvfb-run -a -s "-screen 0 $1x24 -noreset" dbus-run-session -- "$here/make.sh" "${@:3}"
}
on_display 1280x800 prefer-light --shoot experiments experiments.png setup set-up.png timeline timeline.png
"$program" run kolmogorov --quiet --set engines=enkf,solver,pod --out "$scratch/runs"
on_display 1280x800 prefer-light --open "$scratch"/runs/*.lacuna live.png
on_display 1024x600 prefer-dark --open "$scratch"/runs/*.lacuna live-dark.png
runs=$scratch/data/lacuna/runs
both=()
for sensors in 8 12; do
  "$program" run kolmogorov --quiet --set engines=enkf,pod --set sensors=$sensors --threads 1 --out "$scratch/$sensors"
  both+=("$runs/$(basename "$scratch/$sensors"/*.lacuna)")
  mv "$scratch/$sensors"/*.lacuna "$runs"
done
"$program" run burgers --quiet --set engines=pinn --out "$runs"
on_display 1280x800 prefer-light --compare "${both[@]}"
"$program" run usaf --quiet --set solver=pie,ml,decoder --out "$scratch/imaging"
on_display 1280x800 prefer-light --open "$scratch"/imaging/*.lacuna imaging.png
"$program" run lih --quiet --out "$scratch/quantum"
on_display 1280x800 prefer-light --open "$scratch"/quantum/*.lacuna quantum.png volume
