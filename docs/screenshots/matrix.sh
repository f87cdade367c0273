#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every page in every dress: light, dark and high contrast, 1024x600 and 1920x1080, in each language of po/ and in a made-up one that
# is longer than any. For looking at: nothing may be clipped, overlap or be empty without a word.
# Usage: docs/screenshots/matrix.sh [FOLDER [LANGUAGE...]]; default: screenshots in the build folder; C zh_TW pseudo.
# LACUNA_BUILD names the build folder; lacuna must be built. SIZES and STYLES narrow it down; RUN names a run to show, which then is not
# compared. The pages without any run are the pictures called empty; sheet-*.png beside them hold all pages of one dress. draft is the set-up
# of a new run, setup that of the run shown.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(cd "${LACUNA_BUILD:-build}" && pwd)
here=$PWD/docs/screenshots program=$build/lacuna
readonly pages="experiments setup live timeline report runs compare differences compare-time benchmarks draft"
readonly empty_pages="experiments runs compare benchmarks"

call() {
  gdbus call --session --dest io.github.lacuna.Lacuna --object-path /io/github/lacuna/Lacuna/window/1 \
    --method "org.gtk.Actions.$1" "${@:2}" 2>/dev/null
}

# In a session bus of its own: the window with one run, or without any, page after page.
if [ "${1:-}" = --walk ]; then
  folder=$2 run=$3
  state=ended
  [ -n "$run" ] || state=none
  "$program" ${run:+"$run"} >"$folder.log" 2>&1 &
  window=$!
  trap 'kill $window 2>/dev/null' EXIT
  for _ in $(seq 150); do
    call Describe run-state | grep -q "$state" && break
    sleep 0.2
  done
  sleep 3
  for page in $([ -n "$run" ] && echo "$pages" || echo "$empty_pages"); do
    if [ "$page" = draft ]; then
      call Activate configure "[<'kolmogorov'>]" '{}' >/dev/null
      sleep 8 # the field with its sensors
    elif [ "$page" = compare ] && [ -n "$run" ] && [ -n "${OTHER:-}" ]; then
      call Activate compare-runs "[<['$OTHER', '$run']>]" '{}' >/dev/null
      sleep 3
    else
      call Activate show-page "[<'$page'>]" '{}' >/dev/null
      sleep 1.2
    fi
    rm -f "$folder-$page.png"
    call Activate screenshot-to "[<'$folder-$page.png'>]" '{}' >/dev/null
    for _ in $(seq 50); do
      [ -s "$folder-$page.png" ] && break
      sleep 0.2
    done
  done
  exit 0
fi

out=${1:-$build/screenshots}
[ $# = 0 ] || shift
languages=("$@")
[ ${#languages[@]} -gt 0 ] || languages=(C zh_TW pseudo)
mkdir -p "$out"
out=$(cd "$out" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/runtime"
export HOME=$scratch XDG_RUNTIME_DIR=$scratch/runtime XDG_DATA_HOME=$scratch/data GSETTINGS_BACKEND=keyfile XDG_CONFIG_HOME=$scratch/config GDK_BACKEND=x11
export LIBGL_ALWAYS_SOFTWARE=1 ADW_DISABLE_PORTAL=1 GIO_USE_VFS=local GTK_A11Y=none
run=${RUN:-}
if [ -z "$run" ]; then
  for sensors in 8 12; do # two, so that there is something to compare
    LC_ALL=C.UTF-8 "$program" run kolmogorov --quiet --set engines=enkf,pod --set sensors=$sensors --set observations=60 >/dev/null
  done
  run=$(ls -d "$scratch"/data/lacuna/runs/*.lacuna | tail -1)
  OTHER=$(ls -d "$scratch"/data/lacuna/runs/*.lacuna | head -1)
  export OTHER
fi

for language in "${languages[@]}"; do
  locale=C.UTF-8 speak=
  if [ "$language" = pseudo ]; then
    python3 po/pseudo.py "$build/po/pseudo/LC_MESSAGES/lacuna.mo"
    speak=pseudo
  elif [ "$language" != C ]; then
    for name in "$language" "${language}_${language^^}"; do # de is a language; its locale is de_DE
      localedef --no-archive -i "$name" -f UTF-8 "$scratch/$language.UTF-8" 2>/dev/null && break
    done
    locale=$language.UTF-8
  fi
  for size in ${SIZES:-1024x600 1920x1080}; do
    mkdir -p "$scratch/config/glib-2.0/settings" # a window as large as its display
    printf '[io/github/lacuna/Lacuna]\nwindow-width=%d\nwindow-height=%d\n' $((${size%x*} - 20)) $((${size#*x} - 20)) \
      >"$scratch/config/glib-2.0/settings/keyfile"
    for style in ${STYLES:-light dark contrast}; do
      dress=(ADW_DEBUG_COLOR_SCHEME=prefer-light)
      [ "$style" = dark ] && dress=(ADW_DEBUG_COLOR_SCHEME=prefer-dark)
      [ "$style" = contrast ] && dress=(ADW_DEBUG_COLOR_SCHEME=prefer-light ADW_DEBUG_HIGH_CONTRAST=1)
      env LOCPATH="$scratch" LC_ALL="$locale" LANGUAGE="$speak" "${dress[@]}" \
        xvfb-run -a -s "-screen 0 ${size}x24 -noreset" dbus-run-session -- "$here/matrix.sh" --walk "$out/$language-$size-$style" "$run"
      env LOCPATH="$scratch" LC_ALL="$locale" LANGUAGE="$speak" XDG_DATA_HOME="$scratch/nothing" "${dress[@]}" \
        xvfb-run -a -s "-screen 0 ${size}x24 -noreset" dbus-run-session -- "$here/matrix.sh" --walk "$out/$language-$size-$style-empty" ""
      ! command -v montage >/dev/null ||
        montage "$out/$language-$size-$style"-*.png -tile 3x -geometry 960x+4+4 "$out/sheet-$language-$size-$style.png"
    done
  done
done
echo "$out"
