/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and order of results. A headline has no declaration of its metrics, so the rules go by their keys. */
#include "app/runs/result.h"

#include "app/session/run-item.h"
#include "app/toolkit/format.h"
#include "experiment/experiment.h"
#include "report/text/number.h"
#include "run/library/best.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define NOTHING        "–"
#define PERCENT_FORMAT "%.1e"      /* below 100 %: two significant digits */
#define OPTIMISER      "optimizer" /* setting that names the method of a run without methods */
#define RELATIVE_ERROR "relative_l2"

const char *
lac_result_own_key(const char *key)
{
  const char *point = strchr(key, '.');
  return point != NULL ? point + 1 : key;
}

gboolean
lac_result_is_fraction(const char *key, const char *unit)
{
  const char *own = lac_result_own_key(key);
  if (unit != NULL && *unit != '\0' && !g_str_equal(unit, "1"))
    return FALSE;
  return g_str_has_suffix(own, RELATIVE_ERROR) || g_str_equal(own, "error") ||
         g_str_equal(own, "left_over") || g_str_equal(own, "placement_gain");
}

char *
lac_result_dup_text(const char *key, const char *unit, double value)
{
  if (!lac_result_is_fraction(key, unit))
    return lac_format_metric(value, unit);
  char rounded[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(rounded, sizeof rounded, fabs(value) < 1 ? PERCENT_FORMAT : "%.0f", 100 * value);
  return lac_format_metric(isfinite(value) ? g_ascii_strtod(rounded, NULL) : value, "%");
}

gboolean
lac_result_is_better(const char *key, double a, double b)
{
  static const char *const greatest[] = {"psnr",        "ssim",     "ms_ssim",
                                         "correlation", "coverage", "placement_gain"};
  const char              *own = lac_result_own_key(key);
  gboolean                 is_greatest = FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(greatest); i++)
    is_greatest |= g_str_has_prefix(own, greatest[i]);
  if (!isfinite(a) || !isfinite(b))
    return isfinite(a);
  return is_greatest ? a > b : a < b;
}

/* Returns: (nullable): title of choice @method of a list parameter, or NULL. */
static const char *
find_title(const LacParam *row, const char *method)
{
  for (gsize i = 0; row->titles != NULL && row->choices[i] != NULL; i++)
    if (g_str_equal(row->choices[i], method))
      return row->titles[i];
  return NULL;
}

/* Returns: (nullable): the translatable title of a method, if the experiment declares it. */
static const char *
find_method(const char *experiment, const char *method)
{
  const LacExperiment *known = lac_experiment_find(experiment, NULL);
  for (gsize i = 0; known != NULL && i < known->params.n_rows; i++) {
    const LacParam *row = &known->params.rows[i];
    const char     *title = row->kind == LAC_PARAM_LIST ? find_title(row, method) : NULL;
    if (title != NULL)
      return title;
  }
  return NULL;
}

char *
lac_result_dup_method(const char *experiment, const char *method)
{
  const char *title = find_method(experiment, method);
  return g_strdup(title != NULL ? g_dgettext(GETTEXT_PACKAGE, title) : method);
}

static char *
dup_short_method(const char *experiment, const char *method)
{
  const char *title = find_method(experiment, method);
  return lac_run_item_dup_short_title(title != NULL ? title : method, method);
}

/* @name: of a method of an experiment */
static char *
dup_best_method(const LacRunHeadline *run, char *(*name)(const char *, const char *) )
{
  const LacHeadlineMetric *best = lac_run_headline_find_best(run);
  const char              *point = best != NULL ? strchr(best->key, '.') : NULL;
  if (best == NULL || !isfinite(best->value))
    return g_strdup(NOTHING);
  if (point != NULL) {
    g_autofree char *method = g_strndup(best->key, (gsize) (point - best->key));
    return name(run->experiment, method);
  }
  g_autofree char *optimiser = lac_run_headline_dup_setting(run, OPTIMISER);
  return optimiser != NULL ? g_utf8_strup(optimiser, -1) : g_strdup(NOTHING);
}

char *
lac_result_dup_best_method(const LacRunHeadline *run)
{
  return dup_best_method(run, lac_result_dup_method);
}

char *
lac_result_dup_best_method_short(const LacRunHeadline *run)
{
  return dup_best_method(run, dup_short_method);
}

char *
lac_result_dup_setting_label(const LacRunHeadline *run, const char *key)
{
  const LacExperiment *experiment = lac_experiment_find(run->experiment, NULL);
  const LacParam *row = experiment != NULL ? lac_sweep_find_row(&experiment->params, key) : NULL;
  return row == NULL ? g_strdup(key)
                     : lac_label_with_unit(g_dgettext(GETTEXT_PACKAGE, row->label), row->unit);
}
