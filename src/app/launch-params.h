/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run is computed, apart from what it computes: seed, threads, backend, precision, profile; rows like any other. */
#pragma once

#include "base/param.h"
#include "run/core/run.h"

G_BEGIN_DECLS

/* The default of the threads is one fewer than there are, so that the window stays fluid. */
const LacParamTable *lac_launch_params(void);

/* Fills the members of @settings that the rows stand for. Strings are static. */
void lac_launch_params_fill(const LacDraft *draft, LacRunSettings *settings);

/* Returns: (nullable): what is swept, as lac_sweep_parse() takes it. */
const char *lac_launch_params_get_sweep(const LacDraft *draft);

G_END_DECLS
