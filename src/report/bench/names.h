/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translated names of the rows of a benchmark, for headings and sentences. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Keys of the laboratories and tiers of `lacuna bench`, in its order; each ends with NULL. */
extern const char *const lac_bench_laboratory_keys[], *const lac_bench_tier_keys[];

/* Returns: (transfer full): the quantity as a label: "Step", "Peak memory" */
char *lac_bench_dup_metric(const char *metric);
/* Returns: (transfer full): the quantity in a sentence: "the step" */
char *lac_bench_dup_metric_phrase(const char *metric);
/* Returns: (transfer full): the first part of the name of a row: "Flow" */
char *lac_bench_dup_laboratory(const char *name);
/* Returns: (transfer full): the second part of the name of a row: "medium" */
char *lac_bench_dup_tier(const char *name);
/* Returns: (transfer full): the third part, such as an optimisation: "graph replay"; "" if there is none */
char *lac_bench_dup_item(const char *name);

G_END_DECLS
