#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a test on a private display. Usage: on-display.sh PROGRAM [ARGUMENTS]
if ! command -v xvfb-run >/dev/null; then
  echo "Bail out! not installed: xvfb-run (package xvfb); ./dev test installs what tests need"
  exit 1
fi
exec xvfb-run -a "$@"
