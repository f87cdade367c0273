/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/document/paper-size.h"

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
  for (LacReportPaper paper = 0; paper < LAC_N_PAPERS; paper++)
    if (g_str_equal(papers[paper].key, key))
      return paper;
  return LAC_PAPER_A4;
}

void
lac_report_page_size(LacReportPaper paper, double *width, double *height)
{
  g_return_if_fail(paper < LAC_N_PAPERS);
  *width = papers[paper].width;
  *height = papers[paper].height;
}
