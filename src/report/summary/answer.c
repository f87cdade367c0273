/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every sentence is one translatable text with slots for names and numbers only. */
#include "report/summary/answer.h"

#include "base/number-display.h"
#include "base/unit.h"
#include "perf/analysis/ratio.h"
#include "perf/analysis/time-parts.h"
#include "perf/recorder/gauges.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- time ---- */

/* Returns the name with the most own time in a phase, if it has enough of it; LAC_NO_NAME without one. */
static guint32
find_most(const LacCallTree *tree, const guint32 *phases, const LacTimePart *phase)
{
  guint32 most = LAC_NO_NAME, last = 0;
  gint64  most_ns = 0;

  for (gsize i = 0; i < tree->n; i++)
    last = MAX(last, tree->nodes[i].name);
  g_autofree gint64 *own_ns = g_new0(gint64, (gsize) last + 1); /* of each name in the phase */
  for (gsize i = 0; i < tree->n; i++)
    if (phases[i] == phase->name)
      own_ns[tree->nodes[i].name] += tree->nodes[i].self_ns;
  for (gsize i = 0; i < tree->n; i++) /* of equal ones, that which is first called */
    if (phases[i] == phase->name && own_ns[tree->nodes[i].name] > most_ns) {
      most = tree->nodes[i].name;
      most_ns = own_ns[most];
    }
  return (double) most_ns >= LAC_ANSWER_MOST * (double) phase->ns && most != phase->name
           ? most
           : LAC_NO_NAME;
}

static gboolean
is_wait(const char *label)
{
  return g_strcmp0(label, _(LAC_SPAN_DEVICE_WAIT)) == 0;
}

/* @inner: (nullable) */
static char *
dup_sentence(const char *phase, guint share, const char *inner)
{
  if (is_wait(inner))
    return g_strdup_printf(_("%s took %u %% of the time, most of it waiting for the device."),
                           phase, share);
  if (inner != NULL)
    return g_strdup_printf(_("%s took %u %% of the time, most of it in %s."), phase, share, inner);
  return g_strdup_printf(_("%s took %u %% of the time."), phase, share);
}

/* The same of some steps. */
static char *
dup_sentence_of(const LacAnswerSteps *steps, const char *phase, guint share, const char *inner)
{
  g_autofree char *first = g_strdup_printf("%" G_GINT64_FORMAT, steps->first);
  g_autofree char *last = g_strdup_printf("%" G_GINT64_FORMAT, steps->last);

  if (is_wait(inner))
    return g_strdup_printf(
      _("In steps %s–%s: %s took %u %% of the time, most of it waiting for the device."), first,
      last, phase, share);
  if (inner != NULL)
    /* Translators: first and last step; name of a method or phase, its share; name of an operation */
    return g_strdup_printf(_("In steps %s–%s: %s took %u %% of the time, most of it in %s."), first,
                           last, phase, share, inner);
  return g_strdup_printf(_("In steps %s–%s: %s took %u %% of the time."), first, last, phase,
                         share);
}

char *
lac_answer_time(const LacCallTree *tree, const LacSpanLooks *looks, const LacAnswerSteps *steps)
{
  g_return_val_if_fail(tree != NULL && looks != NULL, NULL);
  g_autofree guint32  *phases = g_new(guint32, tree->n + 1);
  g_auto(LacTimeParts) parts = lac_time_parts_of_phases(tree, phases);
  g_autofree guint    *shares = g_new(guint, parts.n + 1);
  gsize                best = 0;

  for (gsize i = 1; i < parts.n; i++)
    if (parts.parts[i].ns > parts.parts[best].ns)
      best = i;
  if (parts.n == 0 || parts.parts[best].name == LAC_NO_NAME ||
      (double) parts.parts[best].ns < LAC_ANSWER_LEADING * (double) parts.whole_ns)
    return NULL;
  lac_time_parts_round(&parts, 100, shares);
  const guint32    most = find_most(tree, phases, &parts.parts[best]);
  g_autofree char *phase = lac_span_looks_dup_title(looks, parts.parts[best].name);
  const char      *inner = most != LAC_NO_NAME ? lac_span_looks_get_label(looks, most) : NULL;
  return steps != NULL ? dup_sentence_of(steps, phase, shares[best], inner)
                       : dup_sentence(phase, shares[best], inner);
}

/* ---- sweeps ---- */

char *
lac_answer_dup_result(double value, const char *unit, gboolean is_error)
{
  const gboolean is_plain = unit == NULL || *unit == '\0' || g_str_equal(unit, "1");
  const double   percent = 100 * value, size = fabs(percent);

  if (!isfinite(value))
    return g_strdup("–");
  if (is_plain && is_error && size < 1000) {
    g_autofree char *number = size < 0.01 ? lac_significant_text(percent, 2)
                                          : lac_number_dup_fixed(percent, size < 10    ? 2
                                                                          : size < 100 ? 1
                                                                                       : 0);
    return g_strdup_printf("%s %%", number);
  }
  const LacShown   shown = lac_shown(is_plain ? "" : unit);
  g_autofree char *number = lac_number_text(is_plain ? value : lac_shown_value(&shown, value));
  return is_plain ? g_steal_pointer(&number) : g_strdup_printf("%s %s", number, shown.unit);
}

/* Returns the index of the best result; @n_valid: number of results. */
static gsize
find_best(const LacSweepResults *sweep, gsize *n_valid)
{
  gsize best = 0;

  *n_valid = 0;
  for (gsize i = 0; i < sweep->n; i++) {
    const double result = sweep->results[i];
    if (!isfinite(result))
      continue;
    if ((*n_valid)++ == 0 ||
        (sweep->is_error ? result < sweep->results[best] : result > sweep->results[best]))
      best = i;
  }
  return best;
}

static gboolean
is_near(const LacSweepResults *sweep, gsize i, gsize best)
{
  return sweep->results[i] <= LAC_ANSWER_NEAR * sweep->results[best];
}

/* Returns the index of the least value from which on all results are near the best. */
static gsize
find_enough(const LacSweepResults *sweep, gsize best)
{
  gsize enough = best;

  for (gsize i = 0; i < sweep->n; i++) {
    gboolean is_enough = isfinite(sweep->results[i]) && isfinite(sweep->values[i]) &&
                         sweep->values[i] < sweep->values[enough];
    for (gsize k = 0; k < sweep->n && is_enough; k++)
      if (isfinite(sweep->results[k]) && sweep->values[k] >= sweep->values[i])
        is_enough = is_near(sweep, k, best);
    if (is_enough)
      enough = i;
  }
  return enough;
}

static gboolean
is_least(const LacSweepResults *sweep, gsize at)
{
  for (gsize i = 0; i < sweep->n; i++)
    if (isfinite(sweep->results[i]) && sweep->values[i] < sweep->values[at])
      return FALSE;
  return TRUE;
}

/* Returns the sentence of one swept number; NULL when the best value is all there is to say. */
static char *
dup_number_sentence(const LacSweepResults *sweep, gsize best)
{
  const gsize enough = find_enough(sweep, best);
  gsize       worst = best;

  for (gsize i = 0; i < sweep->n; i++)
    if (isfinite(sweep->results[i]) && sweep->results[i] > sweep->results[worst])
      worst = i;
  g_autofree char *least = lac_answer_dup_result(sweep->results[best], sweep->unit, TRUE);
  g_autofree char *most = lac_answer_dup_result(sweep->results[worst], sweep->unit, TRUE);
  g_autofree char *near = lac_answer_dup_result(sweep->results[enough], sweep->unit, TRUE);
  g_autofree char *value = lac_number_text(sweep->values[enough]);
  g_autofree char *at = lac_number_text(sweep->values[best]);
  g_autofree char *at_worst = lac_number_text(sweep->values[worst]);
  if (is_least(sweep, enough) && sweep->results[worst] > LAC_ANSWER_SAME * sweep->results[best])
    /* Translators: label of the swept number; smallest error, its value; largest error, its value */
    return g_strdup_printf(_("%s: the error lies between %s (%s) and %s (%s)."), sweep->label,
                           least, at, most, at_worst);
  if (is_least(sweep, enough))
    /* Translators: label of the swept number; smallest and largest error */
    return g_strdup_printf(_("%s hardly matters: the error lies between %s and %s."), sweep->label,
                           least, most);
  if (enough == best)
    return NULL;
  /* Translators: label of the swept number, its value, the error there; the smallest error, the value there */
  return g_strdup_printf(_("%s: %s is enough. The error is %s there, and %s at best (%s)."),
                         sweep->label, value, near, least, at);
}

static char *
dup_repeat_sentence(const LacSweepResults *sweep)
{
  g_autofree double *results = g_new(double, sweep->n);
  gsize              worst = 0, n = 0;

  for (gsize i = 0; i < sweep->n; i++) {
    const double result = sweep->results[i], most = sweep->results[worst];
    if (!isfinite(result))
      continue;
    if (n == 0 || (sweep->is_error ? result > most : result < most))
      worst = i;
    results[n++] = result;
  }
  g_autofree char *middle =
    lac_answer_dup_result(lac_median(results, n), sweep->unit, sweep->is_error);
  g_autofree char *most =
    lac_answer_dup_result(sweep->results[worst], sweep->unit, sweep->is_error);
  /* Translators: number of runs that differ in their seed alone, their median and their worst result, name of the worst
   * run: "Seed 3" */
  return g_strdup_printf(_("Over %zu seeds: median %s, worst %s (%s)."), n, middle, most,
                         sweep->names[worst]);
}

char *
lac_answer_sweep(const LacSweepResults *sweep)
{
  g_return_val_if_fail(sweep != NULL && (sweep->results != NULL || sweep->n == 0), NULL);
  gsize       n_valid;
  const gsize best = find_best(sweep, &n_valid);
  char       *sentence = NULL;

  if (n_valid < 2)
    return NULL;
  if (sweep->is_repeat)
    return dup_repeat_sentence(sweep);
  if (sweep->values != NULL && sweep->is_error && n_valid >= LAC_ANSWER_VALUES &&
      sweep->results[best] > 0)
    sentence = dup_number_sentence(sweep, best);
  if (sentence != NULL)
    return sentence;
  g_autofree char *result =
    lac_answer_dup_result(sweep->results[best], sweep->unit, sweep->is_error);
  /* Translators: what tells the best run of a sweep from the others, and its result */
  return g_strdup_printf(_("Best: %s, %s."), sweep->names[best], result);
}
