#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the screenshots of this folder anew from the window itself, on a display of its own, with the default experiment.
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
  call Activate screenshot-to "[<'$here/$2'>]" '{}' >/dev/null
  sleep 0.5
}

# In a session bus of its own: one run, then the pages that were asked for, as PAGE FILE pairs.
if [ "${1:-}" = --shoot ]; then
  shift
  "$program" --start kolmogorov &
  window=$!
  trap 'kill $window' EXIT
  for _ in $(seq 600); do
    call Describe run-state | grep -q ended && break
    sleep 0.2
  done
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

on_display() { # WIDTHxHEIGHT SCHEME PAGE FILE...
  ADW_DEBUG_COLOR_SCHEME=$2 xvfb-run -a -s "-screen 0 $1x24 -noreset" dbus-run-session -- "$here/make.sh" --shoot "${@:3}"
}
on_display 1280x800 prefer-light experiments experiments.png setup set-up.png live live.png timeline timeline.png
on_display 1024x600 prefer-dark live live-dark.png
