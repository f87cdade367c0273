/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Method "spring": the natural gradient in the space of the walkers, with a momentum from the last step; without
 * momentum it is MinSR.
 * Source: Goldshlager, Abrahamsen, Lin (2024), arXiv 2401.10190, algorithm 1; MinSR: Chen, Heyl (2024), arXiv
 * 2302.01941 */
#include "base/memory-part.h"
#include "experiment/quantum/methods/energy-method.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef struct {
  LacMethodMemory   memory; /* phi, [n_params]: last step, before multiplication by the rate */
  LacMethodSettings settings;
  gsize             n_params;
  double           *next;  /* [n_params] */
  double           *right; /* [n_walkers] */
  guint32           name_gram, name_solve, name_pull;
  LacMemoryClaim    claim;
} Spring;

static void
destroy(gpointer data)
{
  Spring *self = data;

  g_free(self->memory.numbers);
  g_free(self->next);
  g_free(self->right);
  lac_memory_unclaim(&self->claim);
  g_free(self);
}

static gpointer
create(const LacMethodSettings *settings, GError **error G_GNUC_UNUSED)
{
  Spring     *self = g_new0(Spring, 1);
  const gsize n = settings->n_walkers;

  self->settings = *settings;
  self->n_params = lac_wavefunction_get_n_params(settings->wave);
  self->memory.n = self->n_params;
  self->memory.numbers = g_new0(double, self->n_params);
  self->next = g_new0(double, self->n_params);
  self->right = g_new0(double, n);
  lac_memory_claim(&self->claim, LAC_MEMORY_OPTIMISER, sizeof(double) * (2 * self->n_params + n));
  if (settings->perf) {
    self->name_gram = lac_perf_name(settings->perf, "derivatives and their Gram matrix");
    self->name_solve = lac_perf_name(settings->perf, "solve for walkers");
    self->name_pull = lac_perf_name(settings->perf, "pull back to parameters");
  }
  return self;
}

static LacSpan
begin(const Spring *self, guint32 name)
{
  return self->settings.lane ? lac_span_begin(self->settings.lane, name) : (LacSpan){0};
}

static void
end(const Spring *self, LacSpan span, gint64 step)
{
  if (self->settings.lane)
    lac_span_end(self->settings.lane, span, step);
}

static void
subtract_mean(double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i];
  for (gsize i = 0; i < n; i++)
    values[i] -= sum / (double) n;
}

/* Computes (epsilon - mu O phi) with centred O, both divided by the square root of B. */
static void
make_right(Spring *self, const double *energies, double momentum)
{
  const gsize  n = self->settings.n_walkers;
  const double scale = 1 / sqrt((double) n);

  memset(self->right, 0, n * sizeof *self->right);
  if (momentum > 0) {
    lac_wavefunction_apply(self->settings.wave, self->memory.numbers, self->right);
    subtract_mean(self->right, n);
  }
  for (gsize b = 0; b < n; b++)
    self->right[b] = scale * (energies[b] - momentum * self->right[b]);
}

/* Returns: FALSE if the matrix is not positive definite. */
static gboolean
solve(Spring *self, const double *energies, const LacMethodTunables *tunables)
{
  make_right(self, energies, tunables->momentum);
  return lac_wavefunction_solve(self->settings.wave, tunables->damping, self->right);
}

/* Returns the rate, reduced so that the squared length of the step is at most @norm; NaN if the step is not finite. */
static double
bounded_rate(const double *step, gsize n, const LacMethodTunables *tunables)
{
  double square = 0;

  for (gsize p = 0; p < n; p++)
    square += step[p] * step[p];
  square *= tunables->rate * tunables->rate;
  if (!isfinite(square))
    return NAN;
  return square > tunables->norm ? tunables->rate * sqrt(tunables->norm / square) : tunables->rate;
}

static gboolean
step(gpointer data, double *theta, const double *energies, const LacMethodTunables *tunables)
{
  Spring      *self = data;
  const gsize  n = self->settings.n_walkers;
  const double scale = 1 / sqrt((double) n);
  LacSpan      span = begin(self, self->name_gram);
  gboolean     is_solved;
  double       rate;

  lac_wavefunction_tape(self->settings.wave, theta, tunables->positions, n, NULL, NULL);
  lac_wavefunction_gram(self->settings.wave, NULL);
  end(self, span, tunables->step);
  span = begin(self, self->name_solve);
  is_solved = solve(self, energies, tunables);
  end(self, span, tunables->step);
  if (!is_solved)
    return FALSE;
  span = begin(self, self->name_pull);
  subtract_mean(self->right, n);
  for (gsize b = 0; b < n; b++)
    self->right[b] *= scale;
  lac_wavefunction_gradient(self->settings.wave, self->right, self->next);
  for (gsize p = 0; p < self->n_params; p++)
    self->next[p] += tunables->momentum * self->memory.numbers[p];
  rate = bounded_rate(self->next, self->n_params, tunables);
  end(self, span, tunables->step);
  if (isnan(rate))
    return FALSE;
  memcpy(self->memory.numbers, self->next, self->n_params * sizeof *self->memory.numbers);
  for (gsize p = 0; p < self->n_params; p++)
    theta[p] -= rate * self->memory.numbers[p];
  return TRUE;
}

static void
describe(gconstpointer data G_GNUC_UNUSED, LacDeviceUpdate *update)
{
  *update = (LacDeviceUpdate){.kind = LAC_UPDATE_SPRING};
}

const LacEnergyMethod lac_energy_method_spring = {
  .name = "spring",
  .title = N_("SPRING: natural gradient with momentum"),
  .source = "Goldshlager, Abrahamsen, Lin (2024), arXiv 2401.10190",
  .create = create,
  .destroy = destroy,
  .step = step,
  .describe = describe,
  .pack = lac_method_memory_pack,
};
