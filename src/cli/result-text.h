/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came out of a run, in words on standard output. */
#pragma once

#include "run/plan/seeds.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* @result: as a run gives it in JSON; @label: (nullable): the combination of a sweep */
void lac_result_print_run(JsonObject          *result,
                          const LacExperiment *experiment,
                          const LacOutline    *outline,
                          const char          *label);
void
lac_result_print_seeds(const LacSeeds *seeds, const LacExperiment *experiment, const char *label);

G_END_DECLS
