#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the screenshots of this folder from the real window on a virtual display. All runs are computed first, so that every picture shows
# them in the sidebar.
# Usage: docs/screenshots/make.sh; build/lacuna must be built, or LACUNA_BUILD names the build folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/docs/screenshots program=$(cd "${LACUNA_BUILD:-build}" && pwd)/lacuna

call() {
  gdbus call --session --dest io.github.lacuna.Lacuna --object-path /io/github/lacuna/Lacuna/window/1 \
    --method "org.gtk.Actions.$1" "${@:2}" 2>/dev/null
}

act() { # ACTION [PARAMETER]
  call Activate "$1" "[${2:+<$2>}]" '{}' >/dev/null
}

shoot() { # FILE
  rm -f "$here/$1"
  act screenshot-to "'$here/$1'"
  for _ in $(seq 100); do
    [ -s "$here/$1" ] && break
    sleep 0.2
  done
  sleep 1
}

show() { # PAGE FILE
  act show-page "'$1'"
  sleep 3
  shoot "$2"
}

open() { # RUN [VIEW]
  act open-path "'$1'"
  sleep 4
  act view "'${2:-both}'"
  sleep 3
}

# In a session bus of its own: the window, then the pictures of one kind.
if [ "${1:-}" = --light ] || [ "${1:-}" = --dark ]; then
  "$program" &
  window=$!
  trap 'kill $window' EXIT
  for _ in $(seq 150); do
    call Describe run-state | grep -q none && break
    sleep 0.2
  done
  sleep 2
  if [ "$1" = --dark ]; then
    open "$FLOW"
    shoot live-dark.png
    exit 0
  fi
  act skip-tour # its offer would take the place of the cards
  show experiments experiments.png
  act configure "'kolmogorov'"
  sleep 12 # the field with its sensors
  shoot set-up.png
  open "$FLOW"
  show live live.png
  show timeline timeline.png
  show report report.png
  open "$IMAGE"
  show live imaging.png
  open "$MOLECULE" volume
  show live quantum.png
  act compare-runs "['$FEW', '$MORE']"
  sleep 4
  show compare compare.png
  act show-folder "('none', '')"
  sleep 2
  act runs-select "['$(basename "$FLOW")']"
  show runs runs.png
  act show-folder "('sweep', '$SWEEP')"
  sleep 3
  show runs sweep.png
  show benchmarks benchmarks.png
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime"
export HOME=$scratch XDG_RUNTIME_DIR=$scratch/runtime XDG_DATA_HOME=$scratch/data GSETTINGS_BACKEND=memory GDK_BACKEND=x11
export LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1 ADW_DISABLE_PORTAL=1 GIO_USE_VFS=local
runs=$scratch/data/lacuna/runs

compute() { # EXPERIMENT OPTIONS...
  "$program" run "$@" --quiet >/dev/null
  newest=$(ls -td "$runs"/*.lacuna | head -1)
}

# One thread, since the times of the two are compared.
compute kolmogorov --set engines=enkf,pod --set sensors=8 --threads 1
FEW=$newest
compute kolmogorov --set engines=enkf,pod --threads 1
MORE=$newest
compute kolmogorov --set engines=enkf,pod --set observations=60 --sweep sensors=4,6,8,12,16
SWEEP=$("$program" runs --group sweep --json | python3 -c 'import json, sys; print(next(each["group"] for each in json.load(sys.stdin) if each["group"]))')
compute burgers --set engines=pinn
compute usaf --set solver=pie,ml,decoder
IMAGE=$newest
compute h2
MOLECULE=$newest
compute kolmogorov --set engines=enkf,solver,pod
FLOW=$newest
mkdir -p "$scratch/data/lacuna/benchmarks"
"$program" bench --scale small --output "$scratch/data/lacuna/benchmarks/$(date +%Y%m%d-%H%M%S).json" >/dev/null || true # a missed limit is shown
export FLOW IMAGE MOLECULE FEW MORE SWEEP

on_display() { # WIDTHxHEIGHT SCHEME KIND
  ADW_DEBUG_COLOR_SCHEME=$2 xvfb-run -a -s "-screen 0 $1x24 -noreset" dbus-run-session -- "$here/make.sh" "$3"
}
on_display 1280x800 prefer-light --light
on_display 1024x600 prefer-dark --dark
