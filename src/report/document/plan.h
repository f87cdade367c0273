/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined report: selected sections of selected runs, in a chosen order, with the user's own text between them. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"
#include "report/document/paper-size.h"
#include "report/document/sections.h"

G_BEGIN_DECLS

#define LAC_REPORT_VERSION 2

typedef struct {
  LacReportPart part;
  gsize         run;  /* index of the run, for its sections */
  char         *text; /* LAC_PART_TEXT only */
  gboolean      is_left_out;
} LacReportEntry;

typedef struct {
  char          *title;
  GPtrArray     *runs;    /* of char *: run folders */
  GArray        *entries; /* of LacReportEntry, in reading order */
  LacReportPaper paper;
} LacReportPlan;

/* Returns a plan with every section of every run; those that are not in a default report are left out. @folders:
 * NULL-terminated */
LacReportPlan *lac_report_plan_new(const char *const *folders);
LacReportPlan *lac_report_plan_copy(const LacReportPlan *plan);
void           lac_report_plan_free(LacReportPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReportPlan, lac_report_plan_free)

/* Appends a run; does nothing for a run that the plan already has. */
void lac_report_plan_add_run(LacReportPlan *plan, const char *folder);
void lac_report_plan_add_text(LacReportPlan *plan, guint at, const char *text);
/* Moves entry @from to position @to. */
void lac_report_plan_move(LacReportPlan *plan, guint from, guint to);
void lac_report_plan_remove(LacReportPlan *plan, guint at);

/* A plan is stored as JSON beside its report. @path: file of the plan. load() and parse() return %NULL with
 * %LAC_ERROR_BAD_FILE set, and read plans of version 1, whose parts were smaller than the sections; dup_text() returns
 * the JSON. */
gboolean       lac_is_report_plan(const char *path);
LacReportPlan *lac_report_plan_load(const char *path, GError **error);
char          *lac_report_plan_dup_text(const LacReportPlan *plan);
LacReportPlan *lac_report_plan_parse(const char *text, GError **error);

/**
 * lac_report_plan_write:
 * @runs: the runs of the plan, in its order
 * @path: ends in .pdf, .html, .txt or .json; the plan is written to PATH.json
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_BAD_FILE, %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
gboolean lac_report_plan_write(const LacReportPlan *plan,
                               LacRunFile *const   *runs,
                               const char          *path,
                               GError             **error);

/* Returns: (transfer full): array of LacDrawing, the printed pages; NULL with an error. */
GPtrArray *
lac_report_plan_lay_out(const LacReportPlan *plan, LacRunFile *const *runs, GError **error);

G_END_DECLS
