/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reliability sentence per method: fit to its measurements, calibration, and prediction of left-out sensors. */
#include "report/summary/reliability.h"

#include "field/frame.h"
#include "report/text/metric-group.h"
#include "report/text/number.h"
#include "report/text/run-metrics.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* chi^2 = 1 is the level of noise alone. The comments give sqrt(chi^2), the misfit relative to the noise. */
#define MISFIT_UNEXPLAINED 4.0 /* twice the noise */
/* With the right model and the stated noise 0.8 to 1.3 (44 runs), with a viscosity 5 % off 1.2 to 3.9, when the 95 % bands
 * hold 60 % of the field. */
#define MISFIT_ROUGH     1.3
#define MISFIT_CLOSE     0.1 /* a third of the noise: overfits the noise */
#define INNOVATION_WRONG 2.0
/* Kolmogorov flow, 24 readings at 150 times: 0.24 to 1.0 with the right model, 1.1 and 1.4 with a viscosity 5 % off,
 * when the error is already 1.3 % instead of 0.1 %. */
#define INNOVATION_SURE     1.1
#define INNOVATION_CAUTIOUS 0.5
/* Shares of the readings of held-out sensors within their 95 % intervals; Kolmogorov flow with the right model: 0.90 to
 * 0.98, with a viscosity 5 and 20 % off 0.80 and 0.76. */
#define HELD_OUT_FEW   0.85
#define HELD_OUT_LEAST 0.6
/* Departures that are reported; below them the estimate conserves well enough. */
#define ENERGY_OFF     0.1
#define DIVERGENCE_OFF 0.05
/* Percent of the readings: without a fault a Gaussian leaves out 0.3 % beyond three standard deviations. */
#define LEFT_OUT_MANY  2
#define SUSPECT        25
#define RESIDUAL_LARGE 0.3 /* of exposures: more than noise leaves, 10 dB */

/* Standard errors of the largest of three components, and of a spin: by chance 1 run in 1000. */
#define SYMMETRY_BROKEN 3.5
#define DRIFT           "drift_millihartree" /* key of the metric that every optimised wavefunction has */

static const struct {
  const char *key;
  gsize       place; /* offset within LacReliability */
} numbers[] = {
  {"misfit_chi_squared", G_STRUCT_OFFSET(LacReliability, misfit)},
  {"innovation_chi_squared", G_STRUCT_OFFSET(LacReliability, innovation)},
  {"leave_one_out", G_STRUCT_OFFSET(LacReliability, leave_one_out)},
  {"held_out_within_95", G_STRUCT_OFFSET(LacReliability, held_out)},
  {"uncertainty", G_STRUCT_OFFSET(LacReliability, uncertainty)},
  {"energy_ratio", G_STRUCT_OFFSET(LacReliability, energy)},
  {"divergence", G_STRUCT_OFFSET(LacReliability, divergence)},
  {"left_out_percent", G_STRUCT_OFFSET(LacReliability, left_out)},
  {"suspect_sensor", G_STRUCT_OFFSET(LacReliability, suspect)},
  {"suspect_left_out_percent", G_STRUCT_OFFSET(LacReliability, suspect_left_out)},
  {"left_over", G_STRUCT_OFFSET(LacReliability, residual)},
  {"exposures_left_out", G_STRUCT_OFFSET(LacReliability, n_left_out)},
  {"suspect_exposure", G_STRUCT_OFFSET(LacReliability, suspect_exposure)},
  {DRIFT, G_STRUCT_OFFSET(LacReliability, drift)},
  {"drift_resolution_millihartree", G_STRUCT_OFFSET(LacReliability, drift_resolution)},
  {"forbidden_dipole_over_error", G_STRUCT_OFFSET(LacReliability, forbidden_dipole)},
  {"spin_squared_excess_over_error", G_STRUCT_OFFSET(LacReliability, spin_excess)},
};

/* Formats two significant digits, which is all that sensors support. */
static char *
dup_rough(double value)
{
  const double unit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;

  return lac_number_text(round(value / unit) * unit);
}

static const char *
key_within(const char *key)
{
  const char *point = strchr(key, '.');

  return point ? point + 1 : key;
}

/* The uncertainty alone is not a diagnostic; it is used only with the innovation. */
gboolean
lac_reliability_has_metric(const char *key)
{
  const char *within = key_within(key);

  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    if (numbers[i].place != G_STRUCT_OFFSET(LacReliability, uncertainty) &&
        g_str_equal(within, numbers[i].key))
      return TRUE;
  return FALSE;
}

LacReliability
lac_reliability_gather(const char      *group,
                       const LacMetric *metrics,
                       const double    *values,
                       gsize            n_metrics)
{
  LacReliability reliability;

  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    G_STRUCT_MEMBER(double, &reliability, numbers[i].place) = NAN;

  for (gsize m = 0; m < n_metrics; m++) {
    if (!metrics[m].is_result || !g_str_equal(lac_metric_group(&metrics[m]), group))
      continue;
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
      if (g_str_equal(key_within(metrics[m].key), numbers[i].key))
        G_STRUCT_MEMBER(double, &reliability, numbers[i].place) = values[m];
  }
  return reliability;
}

static gboolean
breaks_symmetry(const LacReliability *reliability)
{
  return reliability->forbidden_dipole > SYMMETRY_BROKEN ||
         fabs(reliability->spin_excess) > SYMMETRY_BROKEN;
}

/* A drift above its resolution of two standard errors is one. */
static gboolean
drifts(const LacReliability *reliability)
{
  return fabs(reliability->drift) > reliability->drift_resolution;
}

LacReliabilityLevel
lac_reliability_get_level(const LacReliability *reliability)
{
  const gboolean has_check =
    isfinite(reliability->innovation) || isfinite(reliability->leave_one_out);

  if (breaks_symmetry(reliability) || drifts(reliability))
    return LAC_RELIABILITY_QUESTIONABLE;
  if (!has_check && !isfinite(reliability->misfit))
    return reliability->residual > RESIDUAL_LARGE ? LAC_RELIABILITY_NONE : LAC_RELIABILITY_UNKNOWN;
  if (reliability->misfit > MISFIT_UNEXPLAINED || reliability->innovation > INNOVATION_WRONG ||
      reliability->leave_one_out >= 1 || reliability->held_out < HELD_OUT_LEAST)
    return LAC_RELIABILITY_NONE;
  if (!has_check || reliability->misfit > MISFIT_ROUGH || reliability->misfit < MISFIT_CLOSE ||
      reliability->innovation > INNOVATION_SURE || reliability->held_out < HELD_OUT_FEW)
    return LAC_RELIABILITY_QUESTIONABLE;
  return LAC_RELIABILITY_GOOD;
}

static void
add_verdict(GPtrArray *parts, LacReliabilityLevel level)
{
  static const char *const verdicts[] = {[LAC_RELIABILITY_GOOD] = N_("is reliable"),
                                         [LAC_RELIABILITY_QUESTIONABLE] = N_("is questionable"),
                                         [LAC_RELIABILITY_NONE] = N_("is not reliable")};

  if (level != LAC_RELIABILITY_UNKNOWN)
    g_ptr_array_add(parts, g_strdup(_(verdicts[level])));
}

static char *
dup_misfit(double misfit)
{
  g_autofree char *value = dup_rough(misfit);

  if (misfit > MISFIT_UNEXPLAINED)
    return g_strdup_printf(_("does not fit the measurements (misfit χ² %s)"), value);
  if (misfit > MISFIT_ROUGH)
    return g_strdup_printf(_("fits the measurements only roughly (misfit χ² %s)"), value);
  if (misfit < MISFIT_CLOSE)
    return g_strdup_printf(_("overfits the measurement noise (misfit χ² %s)"), value);
  return g_strdup_printf(_("fits the measurements (misfit χ² %s)"), value);
}

/* The expected variance of an innovation is the method's own plus the noise. Where noise contributes, the method's
 * part must grow by more than chi^2 to bring chi^2 to 1, hence "at least". */
static char *
dup_innovation(const LacReliability *reliability)
{
  g_autofree char *value = dup_rough(reliability->innovation);
  g_autofree char *times = dup_rough(sqrt(reliability->innovation));

  if (reliability->innovation < INNOVATION_CAUTIOUS)
    return g_strdup_printf(_("is underconfident (innovation χ² %s)"), value);
  if (reliability->innovation <= INNOVATION_SURE)
    return g_strdup_printf(_("is well calibrated (innovation χ² %s)"), value);
  if (reliability->innovation <= INNOVATION_WRONG)
    return g_strdup_printf(_("is somewhat overconfident (innovation χ² %s)"), value);
  if (isnan(reliability->uncertainty))
    return g_strdup_printf(_("is overconfident (innovation χ² %s)"), value);
  return g_strdup_printf(
    _("is overconfident (innovation χ² %s): multiply its uncertainty by at least %s"), value,
    times);
}

static char *
dup_left_out(double left_out)
{
  g_autofree char *percent = dup_rough(100 * left_out);

  if (left_out >= 1)
    return g_strdup(_("a left-out sensor is predicted no better than by its mean"));
  return g_strdup_printf(_("a left-out sensor is predicted to within %s %% of its fluctuation"),
                         percent);
}

static char *
dup_held_out(double held_out)
{
  g_autofree char *percent = dup_rough(100 * held_out);

  return g_strdup_printf(
    _("%s %% of the readings of held-out sensors are within their 95 %% intervals"), percent);
}

/* Measurements of sensors have a misfit, which knows their noise. */
static void
add_residual(GPtrArray *parts, const LacReliability *reliability)
{
  g_autofree char *percent = dup_rough(100 * reliability->residual);

  if (isfinite(reliability->misfit) || !(reliability->residual > 0))
    return;
  if (reliability->residual > RESIDUAL_LARGE)
    g_ptr_array_add(parts, g_strdup_printf(_("leaves %s %% of the exposures unexplained: check "
                                             "their scale, unit and axes"),
                                           percent));
  else
    g_ptr_array_add(parts,
                    g_strdup_printf(_("leaves %s %% of the exposures unexplained"), percent));
}

static void
add_conservation(GPtrArray *parts, const LacReliability *reliability)
{
  const double     off = reliability->energy > 0 ? reliability->energy - 1 : 0;
  g_autofree char *percent = dup_rough(100 * fabs(off));
  g_autofree char *diverging = dup_rough(100 * reliability->divergence);

  if (off < -ENERGY_OFF)
    g_ptr_array_add(parts, g_strdup_printf(_("has %s %% less energy than the truth"), percent));
  if (off > ENERGY_OFF)
    g_ptr_array_add(parts, g_strdup_printf(_("has %s %% more energy than the truth"), percent));
  if (reliability->divergence > DIVERGENCE_OFF)
    g_ptr_array_add(
      parts, g_strdup_printf(
               _("does not conserve mass (divergence %s %% of the velocity gradient)"), diverging));
}

static void
add_left_out_readings(GPtrArray *parts, const LacReliability *reliability)
{
  g_autofree char *percent = dup_rough(reliability->left_out);
  g_autofree char *of_one = dup_rough(reliability->suspect_left_out);

  if (reliability->suspect_left_out >= SUSPECT && reliability->suspect > 0)
    g_ptr_array_add(
      parts, g_strdup_printf(_("left out %s %% of the readings of sensor %.0f, which seems faulty"),
                             of_one, reliability->suspect));
  else if (reliability->left_out >= LEFT_OUT_MANY)
    g_ptr_array_add(parts,
                    g_strdup_printf(_("left out %s %% of the readings as outliers"), percent));
}

static void
add_left_out_exposures(GPtrArray *parts, const LacReliability *reliability)
{
  if (!(reliability->n_left_out >= 1))
    return;
  g_ptr_array_add(
    parts,
    g_strdup_printf(_("left out exposures that the others contradict: %.0f, number %.0f first"),
                    reliability->n_left_out, reliability->suspect_exposure));
}

static void
add_settling(GPtrArray *parts, const LacReliability *reliability)
{
  g_autofree char *drift = dup_rough(fabs(reliability->drift));
  g_autofree char *resolution = dup_rough(reliability->drift_resolution);
  g_autofree char *within = dup_rough(fabs(reliability->drift) + reliability->drift_resolution);

  if (!isfinite(reliability->drift) || !(reliability->drift_resolution > 0))
    return;
  if (!drifts(reliability))
    g_ptr_array_add(parts, g_strdup_printf(_("had settled to within %s mHa at the end of the "
                                             "optimisation"),
                                           within));
  else if (reliability->drift < 0)
    g_ptr_array_add(parts, g_strdup_printf(_("was still falling, by %s ± %s mHa over the last "
                                             "quarter of the optimisation: run more iterations"),
                                           drift, resolution));
  else
    g_ptr_array_add(parts, g_strdup_printf(_("was rising, by %s ± %s mHa over the last quarter of "
                                             "the optimisation: lower the learning rate"),
                                           drift, resolution));
}

static void
add_symmetry(GPtrArray *parts, const LacReliability *reliability)
{
  g_autofree char *dipole = dup_rough(reliability->forbidden_dipole);
  g_autofree char *spin = dup_rough(fabs(reliability->spin_excess));

  if (reliability->forbidden_dipole > SYMMETRY_BROKEN)
    g_ptr_array_add(parts, g_strdup_printf(_("has a dipole moment that the symmetry of the "
                                             "molecule forbids (%s standard errors)"),
                                           dipole));
  if (fabs(reliability->spin_excess) > SYMMETRY_BROKEN)
    g_ptr_array_add(parts, g_strdup_printf(_("is mixed with another spin (S² is off by %s standard "
                                             "errors)"),
                                           spin));
}

char *
lac_reliability_dup_sentence(const LacReliability *reliability)
{
  g_autoptr(GPtrArray)      parts = g_ptr_array_new_with_free_func(g_free);
  const LacReliabilityLevel level = lac_reliability_get_level(reliability);
  /* beside a doubt, what else is in order reads as a contradiction */
  const gboolean is_sound = level == LAC_RELIABILITY_GOOD;
  const gboolean fits = reliability->misfit <= MISFIT_ROUGH && reliability->misfit >= MISFIT_CLOSE;

  add_verdict(parts, level);
  if (isfinite(reliability->misfit) && (is_sound || !fits || isnan(reliability->innovation)))
    g_ptr_array_add(parts, dup_misfit(reliability->misfit));
  if (isfinite(reliability->innovation) && (is_sound || reliability->innovation > INNOVATION_SURE))
    g_ptr_array_add(parts, dup_innovation(reliability));
  if (isfinite(reliability->leave_one_out))
    g_ptr_array_add(parts, dup_left_out(reliability->leave_one_out));
  else if (reliability->misfit <= MISFIT_UNEXPLAINED)
    g_ptr_array_add(parts, g_strdup(_("no diagnostic away from the sensors")));
  if (isfinite(reliability->held_out) && (is_sound || reliability->held_out < HELD_OUT_FEW) &&
      level != LAC_RELIABILITY_UNKNOWN)
    g_ptr_array_add(parts, dup_held_out(reliability->held_out));
  add_residual(parts, reliability);
  add_conservation(parts, reliability);
  add_left_out_readings(parts, reliability);
  add_left_out_exposures(parts, reliability);
  add_settling(parts, reliability);
  add_symmetry(parts, reliability);
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add(parts, NULL);
  return g_strjoinv("; ", (char **) parts->pdata);
}

static void
clear_line(gpointer data)
{
  LacReliabilityLine *line = data;

  g_free(line->title);
  g_free(line->sentence);
}

GArray *
lac_reliability_lines(const LacRunFile *run)
{
  GArray               *lines = g_array_new(FALSE, FALSE, sizeof(LacReliabilityLine));
  g_auto(LacRunMetrics) metrics = {0};
  g_autofree double    *values = g_new(double, run->n_metrics + 1);
  const char           *last = "";

  g_array_set_clear_func(lines, clear_line);
  lac_run_metrics_init(&metrics, run);
  for (gsize m = 0; m < run->n_metrics; m++)
    values[m] = run->metrics[m].last;
  for (gsize m = 0; m < run->n_metrics; m++) {
    const char *group = lac_metric_group(&metrics.metrics[m]);

    /* of the run itself only where it has a single method without a prefix: a wavefunction */
    const gboolean is_wave = g_str_equal(metrics.metrics[m].key, DRIFT);

    if ((group == last || *group == '\0') && !is_wave)
      continue;
    last = group;
    const LacReliability reliability =
      lac_reliability_gather(group, metrics.metrics, values, metrics.n);
    LacReliabilityLine line = {.method = group,
                               .sentence = lac_reliability_dup_sentence(&reliability)};

    if (line.sentence == NULL)
      continue;
    line.title = g_strdup(is_wave ? metrics.metrics[0].placing.method
                                  : lac_metric_group_label(group, metrics.metrics, metrics.n,
                                                           metrics.channels, metrics.n_channels));
    g_array_append_val(lines, line);
  }
  return lines;
}
