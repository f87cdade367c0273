/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/document/paper-size.h"

#include "base/error.h"

static const struct {
  const char *key, *name;
  double      width, height; /* points */
} papers[LAC_N_PAPERS] = {
  [LAC_PAPER_A4] = {"a4", "A4", 595.28, 841.89},
  [LAC_PAPER_LETTER] = {"letter", "US Letter", 612, 792},
};

const char *
lac_report_paper_key(LacReportPaper paper)
{
  g_return_val_if_fail(paper < LAC_N_PAPERS, NULL);
  return papers[paper].key;
}

const char *
lac_report_paper_name(LacReportPaper paper)
{
  g_return_val_if_fail(paper < LAC_N_PAPERS, NULL);
  return papers[paper].name;
}

LacReportPaper
lac_report_paper_find(const char *key)
{
  LacReportPaper paper = 0;
  while (paper < LAC_N_PAPERS && !g_str_equal(papers[paper].key, key))
    paper++;
  return paper;
}

gboolean
lac_report_paper_parse(const char *key, LacReportPaper *paper, GError **error)
{
  *paper = lac_report_paper_find(key);
  if (*paper < LAC_N_PAPERS)
    return TRUE;
  g_autoptr(GString) known = g_string_new(NULL);
  for (LacReportPaper i = 0; i < LAC_N_PAPERS; i++)
    g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", papers[i].key);
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "paper: \"%s\" is none of %s", key, known->str);
  return FALSE;
}

void
lac_report_page_size(LacReportPaper paper, double *width, double *height)
{
  g_return_if_fail(paper < LAC_N_PAPERS);
  *width = papers[paper].width;
  *height = papers[paper].height;
}
