/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A many-channel experiment for the tests of the window: decaying Taylor-Green vortices with four sources. */
#pragma once

#include "run/core/run.h"

extern const LacExperiment vortices;

/* Runs the experiment to its end in a folder below @out. Returns: (transfer full): the run. */
LacRun *vortices_run(const char *out);
