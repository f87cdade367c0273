/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report as one JSON object. */
#pragma once

#include "report/document/sections.h"

G_BEGIN_DECLS

/* Everything is borrowed. */
typedef struct {
  LacRunFile *const       *runs;
  const LacReportSections *sections; /* [n_runs]: fields and curves are pictures and add nothing */
  gsize                    n_runs;
  const char              *title; /* (nullable) */
  GPtrArray               *texts; /* (nullable): of char *: the user's own */
} LacReportJson;

char *lac_report_dup_json(const LacReportJson *report); /* (transfer full) */

G_END_DECLS
