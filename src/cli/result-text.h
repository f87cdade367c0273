/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came out of a run, in words on standard output. */
#pragma once

#include "run/seeds.h"

G_BEGIN_DECLS

/* @label: (nullable): the combination of a sweep */
void lac_result_print_run(LacRun *run, const char *label);
void
lac_result_print_seeds(const LacSeeds *seeds, const LacExperiment *experiment, const char *label);

G_END_DECLS
