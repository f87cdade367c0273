/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Own time by kind of work, in words and as JSON. */
#pragma once

#include "io/format/json-text.h"
#include "perf/analysis/operation-kinds.h"

G_BEGIN_DECLS

/* Sums the own times of a whole recording. */
LacKindTimes lac_kinds_of_capture(const LacCapture *capture);
/* Returns: (transfer full) (nullable): "forward 52 %, backward 30 %, data 6 %, other 12 %"; %NULL without any time. */
char *lac_kinds_dup_text(const LacKindTimes *times);
/* Adds the member "kinds": seconds by kind. */
void lac_kinds_add_json(const LacKindTimes *times, JsonBuilder *builder);

G_END_DECLS
