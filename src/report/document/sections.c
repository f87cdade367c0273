/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of sections, and what each holds for a run. */
#include "report/document/sections.h"

#include "base/error.h"
#include "perf/analysis/analysis.h"
#include "report/plot/curve-plots-private.h"
#include "report/summary/changes.h"
#include "report/summary/method-table.h"
#include "report/summary/settings.h"
#include "report/summary/speed.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

#define ALL "all"

static char *
name_frame(const LacRunFile *run)
{
  const gssize frame = lac_run_file_find_frame(run, G_MAXINT64);

  return frame < 0 || run->n_channels == 0
           ? g_strdup("")
           : g_strdup_printf(_("at step %" PRId64), run->frame_step[frame]);
}

static char *
count_plots(const LacRunFile *run)
{
  if (run->n_series < 2)
    return g_strdup("");
  g_autoptr(GArray) plots = lac_curve_plots_new(run, FALSE);
  return plots->len == 0
           ? g_strdup("")
           : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "%u plot", "%u plots", plots->len),
                             plots->len);
}

/* The records of a run that is only listed are not read. */
static char *
count_operations(const LacRunFile *run)
{
  if (run->capture == NULL || lac_capture_get_n_records(run->capture) == 0)
    return g_strdup("");
  g_autoptr(LacAggregates) aggregates = lac_aggregates_new();
  gsize                    n_rows;
  guint                    n = 0;

  lac_aggregates_add_capture(aggregates, run->capture);
  const LacAggregate *rows = lac_aggregates_get(aggregates, &n_rows);
  for (gsize i = 0; i < n_rows; i++)
    n += rows[i].is_operation;
  return n == 0
           ? g_strdup("")
           : g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "%u operation", "%u operations", n), n);
}

static char *
name_peak(const LacRunFile *run)
{
  g_auto(LacSummary) summary = {0};

  if (run->capture == NULL)
    return g_strdup("");
  lac_summary_init(&summary, run);
  return isfinite(summary.peak_resident) ? lac_bytes_text(summary.peak_resident) : g_strdup("");
}

static char *
count_changes(const LacRunFile *run)
{
  g_autoptr(GArray) changes = lac_run_changes(run);

  return changes->len > 0 ? g_strdup_printf("%u", changes->len) : g_strdup("");
}

static char *
count_changed_settings(const LacRunFile *run)
{
  guint n = 0;

  for (gsize i = 0; i < run->n_settings; i++)
    n += lac_setting_is_changed(&run->settings[i]);
  return g_strdup_printf(g_dngettext(GETTEXT_PACKAGE, "%u changed", "%u changed", n), n);
}

static char *
count_findings(const LacRunFile *run)
{
  if (run->capture == NULL)
    return g_strdup("");
  g_auto(LacAnalysis) analysis = lac_analysis_make(run->capture);
  g_autoptr(GArray)   advice = lac_speed_advice_of_run(run->path, run->capture);
  const gsize         n = analysis.n + advice->len;
  return n > 0 ? g_strdup_printf("%zu", n) : g_strdup("");
}

static char *
count_settings(const LacRunFile *run)
{
  return g_strdup_printf(_("appendix, %zu"), run->n_settings);
}

static char *
name_backend(const LacRunFile *run)
{
  return g_strdup_printf("%s, %s", run->backend, run->precision);
}

static const struct {
  const char *key, *title;
  gboolean    is_default;
  char *(*dup_content)(const LacRunFile *run);
} parts[LAC_N_PARTS] = {
  [LAC_PART_TEXT] = {"text", N_("Your text"), TRUE, NULL},
  [LAC_PART_COMPARISON] = {"comparison", N_("Comparison"), TRUE, NULL},
  [LAC_PART_HEAD] = {"answer", N_("Answer and table of methods"), TRUE, NULL},
  [LAC_PART_FIELDS] = {"fields", N_("Fields"), TRUE, name_frame},
  [LAC_PART_CURVES] = {"curves", N_("Curves"), TRUE, count_plots},
  [LAC_PART_TIME] = {"time", N_("Where the time went"), TRUE, count_operations},
  [LAC_PART_MEMORY] = {"memory", N_("Memory and load"), TRUE, name_peak},
  [LAC_PART_CHANGES] = {"changes", N_("Changes while running"), TRUE, count_changes},
  [LAC_PART_SETTINGS] = {"settings", N_("Settings that mattered"), TRUE, count_changed_settings},
  [LAC_PART_FINDINGS] = {"findings", N_("Findings"), FALSE, count_findings},
  [LAC_PART_ALL_SETTINGS] = {"all-settings", N_("All settings"), FALSE, count_settings},
  [LAC_PART_MACHINE] = {"machine", N_("Machine and versions"), TRUE, name_backend},
};

const char *
lac_report_part_key(LacReportPart part)
{
  g_return_val_if_fail(part < LAC_N_PARTS, NULL);
  return parts[part].key;
}

const char *
lac_report_part_title(LacReportPart part)
{
  g_return_val_if_fail(part < LAC_N_PARTS, NULL);
  return parts[part].title;
}

gboolean
lac_report_part_is_default(LacReportPart part)
{
  g_return_val_if_fail(part < LAC_N_PARTS, FALSE);
  return parts[part].is_default;
}

LacReportPart
lac_report_part_find(const char *key)
{
  LacReportPart part = 0;

  while (part < LAC_N_PARTS && g_strcmp0(parts[part].key, key) != 0)
    part++;
  return part;
}

char *
lac_report_part_dup_content(LacReportPart part, const LacRunFile *run)
{
  g_return_val_if_fail(part < LAC_N_PARTS && run != NULL, NULL);
  return parts[part].dup_content != NULL ? parts[part].dup_content(run) : g_strdup("");
}

/* ---- choices ---- */

LacReportSections
lac_report_sections_default(void)
{
  LacReportSections sections = {0};

  for (LacReportPart part = LAC_PART_HEAD; part < LAC_N_PARTS; part++)
    if (parts[part].is_default)
      sections.parts[sections.n++] = part;
  return sections;
}

LacReportSections
lac_report_sections_all(void)
{
  LacReportSections sections = {0};

  for (LacReportPart part = LAC_PART_HEAD; part < LAC_N_PARTS; part++)
    sections.parts[sections.n++] = part;
  return sections;
}

gboolean
lac_report_sections_have(const LacReportSections *sections, LacReportPart part)
{
  for (guint i = 0; i < sections->n; i++)
    if (sections->parts[i] == part)
      return TRUE;
  return FALSE;
}

char *
lac_report_sections_dup_keys(const LacReportSections *sections)
{
  GString *keys = g_string_new(NULL);

  for (guint i = 0; i < sections->n; i++)
    g_string_append_printf(keys, "%s%s", i > 0 ? "," : "", parts[sections->parts[i]].key);
  return g_string_free(keys, FALSE);
}

static gboolean
refuse(const char *key, GError **error)
{
  const LacReportSections all = lac_report_sections_all();
  g_autofree char        *known = lac_report_sections_dup_keys(&all);

  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "\"%s\" is no section of a report; the sections are %s, or " ALL, key, known);
  return FALSE;
}

gboolean
lac_report_sections_parse(const char *keys, LacReportSections *sections, GError **error)
{
  g_return_val_if_fail(keys != NULL && sections != NULL, FALSE);
  g_auto(GStrv) words = g_strsplit(keys, ",", -1);

  *sections = (LacReportSections){0};
  if (g_str_equal(keys, ALL)) {
    *sections = lac_report_sections_all();
    return TRUE;
  }
  for (gsize i = 0; words[i] != NULL; i++) {
    const LacReportPart part = lac_report_part_find(g_strstrip(words[i]));

    if (part < LAC_PART_HEAD || part == LAC_N_PARTS)
      return refuse(words[i], error);
    if (!lac_report_sections_have(sections, part))
      sections->parts[sections->n++] = part;
  }
  return sections->n > 0 || refuse(keys, error);
}
