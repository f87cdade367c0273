/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writers behind lac_report_write(). */
#pragma once

#include "report/document/report.h"

G_BEGIN_DECLS

char *lac_report_dup_text(LacRunFile *const *runs, gsize n_runs);

G_END_DECLS
