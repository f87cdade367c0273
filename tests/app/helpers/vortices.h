/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment for the tests of the window with many channels: decaying Taylor-Green vortices as seen by four sources. */
#pragma once

#include "run/core/run.h"

extern const LacExperiment vortices;

/* Runs to its end in a folder of its own below @out. Returns: (transfer full): the run. */
LacRun *vortices_run(const char *out);
