/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of a report: one table of keys, titles and defaults. Every format consists of the chosen ones. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef enum {
  LAC_PART_TEXT, /* user's own text: paragraphs separated by empty lines; a line that begins with "# " is a heading */
  LAC_PART_COMPARISON, /* covers all runs */
  LAC_PART_HEAD, /* this and the following are the sections of one run, in the usual order: answer and table of methods */
  LAC_PART_FIELDS,
  LAC_PART_CURVES,
  LAC_PART_TIME,
  LAC_PART_MEMORY,
  LAC_PART_CHANGES,
  LAC_PART_SETTINGS, /* those that mattered */
  LAC_PART_FINDINGS,
  LAC_PART_ALL_SETTINGS,
  LAC_PART_MACHINE,
  LAC_N_PARTS
} LacReportPart;

/* Return the key, as in files and on the command line, and the title, translatable. */
const char *lac_report_part_key(LacReportPart part);
const char *lac_report_part_title(LacReportPart part);
/* Returns TRUE for a section that a report has unless the user leaves it out. */
gboolean lac_report_part_is_default(LacReportPart part);
/* Returns the part with the key; LAC_N_PARTS for an unknown one. */
LacReportPart lac_report_part_find(const char *key);

/* Returns: (transfer full): what the section holds for this run, in a few words: "at step 150", "2 changed"; "" if it
 * holds nothing. */
char *lac_report_part_dup_content(LacReportPart part, const LacRunFile *run);

/* Sections of each run, in reading order. */
typedef struct {
  guint         n;
  LacReportPart parts[LAC_N_PARTS];
} LacReportSections;

/* Return the default sections, and all of them. */
LacReportSections lac_report_sections_default(void);
LacReportSections lac_report_sections_all(void);

/* @keys: "answer,curves"; "all": all. Returns: FALSE with %LAC_ERROR_USAGE naming the keys. */
gboolean lac_report_sections_parse(const char *keys, LacReportSections *sections, GError **error);

/* Returns: (transfer full): the keys, as lac_report_sections_parse() accepts them. */
char *lac_report_sections_dup_keys(const LacReportSections *sections);

gboolean lac_report_sections_have(const LacReportSections *sections, LacReportPart part);

G_END_DECLS
