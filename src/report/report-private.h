/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writers behind lac_report_write(). */
#pragma once

#include "report/report.h"

G_BEGIN_DECLS

gboolean
      lac_report_write_pdf(LacRunFile *const *runs, gsize n_runs, const char *path, GError **error);
char *lac_report_dup_text(LacRunFile *const *runs, gsize n_runs);
char *lac_report_dup_json(LacRunFile *const *runs, gsize n_runs);
char *lac_report_dup_html(LacRunFile *const *runs, gsize n_runs, GError **error);

G_END_DECLS
