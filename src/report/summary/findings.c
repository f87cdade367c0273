/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences for findings: one table row per kind. */
#include "report/summary/findings.h"

#include "base/number-display.h"
#include "io/format/json-text.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

static const char *
name_of(const LacFinding *finding, const LacCapture *capture)
{
  return lac_capture_get_name(capture, finding->name);
}

static char *
tenths(double value)
{
  return value >= 1000 ? lac_number_text(value) : lac_number_dup_fixed(value, 1);
}

static char *
add_share(const LacFinding *finding, const LacCapture *capture)
{
  g_autofree char *total = lac_duration_text(finding->ns * 1e-9);
  const char      *calls =
    g_dngettext(GETTEXT_PACKAGE, "%" PRIu64 " call", "%" PRIu64 " calls", (gulong) finding->count);
  g_autofree char *count = g_strdup_printf(calls, finding->count);
  g_autofree char *share = tenths(100 * finding->ratio);
  return g_strdup_printf(finding->kind == LAC_FINDING_BOTTLENECK
                           ? _("Bottleneck: %s takes %s %% of the time (%s in %s). Optimise it "
                               "first: making it twice as fast saves half of that time.")
                           : _("Optimisation candidate: %s takes %s %% of the time (%s in %s)."),
                         name_of(finding, capture), share, total, count);
}

static char *
add_variance(const LacFinding *finding, const LacCapture *capture)
{
  g_autofree char *times = tenths(finding->ratio);
  g_autofree char *longest = lac_duration_text(finding->ns * 1e-9);
  g_autofree char *shortest = lac_duration_text(finding->other_ns * 1e-9);
  return g_strdup_printf(
    _("Variable duration: the longest %s, number %" PRId64
      ", took %s times as long as the shortest (%s versus %s). Outliers to inspect: %" PRIu64 "."),
    name_of(finding, capture), finding->step, times, longest, shortest, finding->count);
}

static char *
add_outlier(const LacFinding *finding, const LacCapture *capture)
{
  g_autofree char *times = tenths(finding->ratio);
  g_autofree char *took = lac_duration_text(finding->ns * 1e-9);
  if (finding->name == LAC_NO_NAME)
    return g_strdup_printf(_("Iteration %" PRId64
                             " took %s, %s times the median, but none of its operations took "
                             "longer. Check for other load on the machine."),
                           finding->step, took, times);
  g_autofree char *grown = lac_duration_text(finding->other_ns * 1e-9);
  return g_strdup_printf(
    _("Iteration %" PRId64 " took %s, %s times the median: %s took %s longer than usual."),
    finding->step, took, times, name_of(finding, capture), grown);
}

char *
lac_finding_dup_cause(const LacFinding *outlier, const LacCapture *capture)
{
  g_return_val_if_fail(outlier != NULL && capture != NULL, NULL);
  if (outlier->name == LAC_NO_NAME)
    return g_strdup(_("no operation took longer"));
  g_autofree char *grown = lac_duration_text(outlier->other_ns * 1e-9);
  return g_strdup_printf(_("%s took %s longer"), name_of(outlier, capture), grown);
}

static char *
add_first_call(const LacFinding *finding, const LacCapture *capture)
{
  g_autofree char *times = tenths(finding->ratio);
  g_autofree char *first = lac_duration_text(finding->ns * 1e-9);
  g_autofree char *usual = lac_duration_text(finding->other_ns * 1e-9);
  return g_strdup_printf(_("The first %s took %s, %s times as long as later ones (%s). Exclude one "
                           "warm-up call from timings."),
                         name_of(finding, capture), first, times, usual);
}

static char *
add_growth(const LacFinding *finding, const LacCapture *capture)
{
  g_autofree char *grown = lac_bytes_text(finding->bytes);
  g_autofree char *in = lac_duration_text(finding->ns * 1e-9);
  GString         *text = g_string_new(NULL);
  g_string_append_printf(text,
                         finding->kind == LAC_FINDING_LEAK
                           ? _("Possible memory leak: usage grew by %s in %s without levelling off")
                         : finding->kind == LAC_FINDING_GROWTH
                           ? _("Memory grew by %s in %s, then levelled off")
                           : _("Resident memory grew by %s in %s as pages were touched for the "
                               "first time; the live heap did not grow, so nothing leaks"),
                         grown, in);
  if (isfinite(finding->ratio)) {
    g_autofree char *rate = lac_bytes_text(finding->ratio);
    g_string_append_printf(text, _(": %s per 100 iterations"), rate);
  }
  if (finding->name != LAC_NO_NAME)
    g_string_append_printf(text, _("; most of it is held by %s"), name_of(finding, capture));
  g_string_append_c(text, '.');
  return g_string_free(text, FALSE);
}

static const struct {
  const char *key;
  char *(*add)(const LacFinding *finding, const LacCapture *capture);
} kinds[] = {
  [LAC_FINDING_BOTTLENECK] = {"bottleneck", add_share},
  [LAC_FINDING_HEAVY] = {"heavy", add_share},
  [LAC_FINDING_VARIANCE] = {"variance", add_variance},
  [LAC_FINDING_OUTLIER] = {"outlier", add_outlier},
  [LAC_FINDING_FIRST_CALL] = {"first call", add_first_call},
  [LAC_FINDING_LEAK] = {"leak", add_growth},
  [LAC_FINDING_GROWTH] = {"growth", add_growth},
  [LAC_FINDING_TOUCHED] = {"touched", add_growth},
};

char *
lac_finding_dup_text(const LacFinding *finding, const LacCapture *capture)
{
  g_return_val_if_fail(finding != NULL && capture != NULL, NULL);
  g_return_val_if_fail(finding->kind < G_N_ELEMENTS(kinds), NULL);
  return kinds[finding->kind].add(finding, capture);
}

const char *
lac_finding_key(LacFindingKind kind)
{
  g_return_val_if_fail(kind < G_N_ELEMENTS(kinds), NULL);
  return kinds[kind].key;
}

void
lac_findings_print(const LacAnalysis *analysis, const LacCapture *capture, GString *text)
{
  g_return_if_fail(analysis != NULL && capture != NULL && text != NULL);
  for (gsize i = 0; i < analysis->n; i++) {
    g_autofree char *sentence = lac_finding_dup_text(&analysis->findings[i], capture);
    g_string_append_printf(text, "- %s\n", sentence);
  }
  if (analysis->n == 0)
    g_string_append(text, _("No findings.\n"));
}

void
lac_findings_add_json(const LacAnalysis *analysis, const LacCapture *capture, JsonBuilder *builder)
{
  json_builder_set_member_name(builder, "findings");
  json_builder_begin_array(builder);
  for (gsize i = 0; i < analysis->n; i++) {
    const LacFinding *finding = &analysis->findings[i];
    g_autofree char  *text = lac_finding_dup_text(finding, capture);
    json_builder_begin_object(builder);
    lac_json_add_text(builder, "kind", lac_finding_key(finding->kind));
    if (finding->name != LAC_NO_NAME)
      lac_json_add_text(builder, "operation", lac_capture_get_name(capture, finding->name));
    if (finding->step >= 0)
      lac_json_add_integer(builder, "step", finding->step);
    lac_json_add_number(builder, "ratio", finding->ratio);
    lac_json_add_number(builder, "seconds", finding->ns * 1e-9);
    lac_json_add_text(builder, "text", text);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}
