/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of the paper of a report. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { LAC_PAPER_A4, LAC_PAPER_LETTER, LAC_N_PAPERS } LacReportPaper;

/* Return: (transfer none): the key in a plan, "a4"; the name, "A4". */
const char *lac_report_paper_key(LacReportPaper paper);
const char *lac_report_paper_name(LacReportPaper paper);

LacReportPaper lac_report_paper_find(const char *key); /* LAC_N_PAPERS for an unknown key */
/* Returns: FALSE with %LAC_ERROR_USAGE for an unknown key. */
gboolean lac_report_paper_parse(const char *key, LacReportPaper *paper, GError **error);

/* Returns width and height in points. */
void lac_report_page_size(LacReportPaper paper, double *width, double *height);

G_END_DECLS
