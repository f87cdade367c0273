/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined report: selected parts of selected runs, in a chosen order, with the user's own text between them. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"

G_BEGIN_DECLS

#define LAC_REPORT_VERSION 1

typedef enum {
  LAC_PART_TEXT, /* user's own text: paragraphs separated by empty lines; a line that begins with "# " is a heading */
  LAC_PART_COMPARISON, /* covers all runs */
  LAC_PART_HEAD, /* this and the following cover one run, in the order of a report without a plan */
  LAC_PART_FIELD,
  LAC_PART_RESULTS,
  LAC_PART_RELIABILITY,
  LAC_PART_GATES,
  LAC_PART_CURVES,
  LAC_PART_CHARTS,
  LAC_PART_OPERATIONS,
  LAC_PART_PROFILE,
  LAC_PART_SETTINGS,
  LAC_PART_EVENTS,
  LAC_PART_FACTS,
  LAC_N_PARTS
} LacReportPart;

const char *lac_report_part_title(LacReportPart part); /* translatable */

typedef struct {
  LacReportPart part;
  gsize         run;  /* index of the run, for parts of one run */
  char         *text; /* LAC_PART_TEXT only */
  gboolean      is_left_out;
} LacReportEntry;

typedef struct {
  char      *title;
  GPtrArray *runs;    /* of char *: run folders */
  GArray    *entries; /* of LacReportEntry, in reading order */
} LacReportPlan;

/* Returns a plan with every part of every run. @folders: NULL-terminated */
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
 * %LAC_ERROR_BAD_FILE set; dup_text() returns the JSON. */
gboolean       lac_is_report_plan(const char *path);
LacReportPlan *lac_report_plan_load(const char *path, GError **error);
char          *lac_report_plan_dup_text(const LacReportPlan *plan);
LacReportPlan *lac_report_plan_parse(const char *text, GError **error);

/**
 * lac_report_plan_write:
 * @runs: the runs of the plan, in its order
 * @path: ends in .pdf or .html; the plan is written to PATH.json
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_BAD_FILE, %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
gboolean lac_report_plan_write(const LacReportPlan *plan,
                               LacRunFile *const   *runs,
                               const char          *path,
                               GError             **error);

/* Returns: (transfer full): array of LacDrawing, the printed pages; NULL with an error. */
GPtrArray      *
lac_report_plan_lay_out(const LacReportPlan *plan, LacRunFile *const *runs, GError **error);
void lac_report_page_size(double *width, double *height); /* points */

G_END_DECLS
