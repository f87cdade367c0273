/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of one or several runs. */
#pragma once

#include "io/format/bench-file.h"
#include "io/runfile/run-file.h"
#include "report/document/paper-size.h"
#include "report/document/sections.h"

G_BEGIN_DECLS

/**
 * lac_report_write_sections:
 * @runs: [n_runs], at least one; several runs start with a comparison
 * @sections: (nullable): of each run; NULL: the default ones, in JSON all
 * @paper: of a PDF
 * @path: its extension selects the format: .pdf .html .txt .json
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_NOT_IN_VERSION, %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL
 *   set.
 */
gboolean lac_report_write_sections(LacRunFile *const       *runs,
                                   gsize                    n_runs,
                                   const LacReportSections *sections,
                                   LacReportPaper           paper,
                                   const char              *path,
                                   GError                 **error);
/* Does the same with @sections NULL, on A4. */
gboolean lac_report_write(LacRunFile *const *runs, gsize n_runs, const char *path, GError **error);

/* Writes the report of a benchmark and, with @after, of the changes. @names: names of the files; the second is NULL
 * without @after. */
gboolean lac_report_write_bench(const LacBenchFile *before,
                                const LacBenchFile *after,
                                const char *const   names[2],
                                const char         *path,
                                GError            **error);

G_END_DECLS
