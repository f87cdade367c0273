/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relaxed averaged alternating reflections: psi <- beta (psi + O(2 M psi - psi) - M psi) + (1 - beta) M psi, with the projections M on the measured
 * amplitudes and O on what one object makes. Source: Luke (2005), doi:10.1088/0266-5611/21/1/004 */
#include "experiment/imaging/exit-waves.h"
#include "experiment/imaging/seeker.h"

#include <glib/gi18n-lib.h>

#include <string.h>

typedef struct {
  gint64 raar_iterations;
  double raar_relaxation;
  gint64 raar_within_noise;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, raar_iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("RAAR"), N_("Each works through all exposures at once")},
  {LAC_FIELD(Params, raar_relaxation), LAC_PARAM_REAL, "1", 0.05, 0.99, 0.9, N_("Relaxation"), N_("RAAR"), N_("Near 1 it searches far, near 0 it stays with the measured amplitudes"), LAC_PARAM_LIVE},
  {LAC_FIELD(Params, raar_within_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Within the noise"), N_("RAAR"), N_("Amplitudes that are as near to the measured ones as noise lets the true ones be are left as they are"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

typedef struct {
  LacSeeker     seeker;
  Params        params;
  LacExitWaves *waves;
} Raar;

static void
estimate(gconstpointer values, const LacRetrievalSize *size, LacEstimate *result)
{
  lac_exit_waves_estimate(size, result);
  result->n_steps = ((const Params *) values)->raar_iterations;
}

static void
destroy(gpointer data)
{
  Raar *raar = data;

  lac_exit_waves_free(raar->waves);
  lac_hypothesis_free(raar->seeker.h);
  g_free(raar);
}

static gpointer
create(gconstpointer values, const LacRetrievalProblem *problem, GError **error)
{
  Raar *raar = g_new0(Raar, 1);

  raar->params = *(const Params *) values;
  raar->seeker.h = lac_hypothesis_new(problem, error);
  if (!raar->seeker.h) {
    destroy(raar);
    return NULL;
  }
  raar->waves = lac_exit_waves_new(raar->seeker.h, raar->params.raar_within_noise != 0);
  return raar;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Raar *) data)->params.raar_iterations;
}

/* O is taken of 2 M psi - psi. */
static void
prepare(LacExitWaves *waves, gsize visit, LacBench *bench, double complex *other G_GNUC_UNUSED)
{
  const gsize           n = waves->h->n_along * waves->h->d * waves->h->d;
  const double complex *psi = lac_exit_waves_get(waves, visit);

  lac_exit_waves_measure(waves, visit, bench);
  for (gsize i = 0; i < n; i++)
    bench->fields[i] = 2 * bench->fields[i] - psi[i];
}

static void
move(LacExitWaves *waves, gsize visit, LacBench *bench, double complex *other)
{
  const gsize     n = waves->h->n_along * waves->h->d * waves->h->d;
  const double    beta = waves->relaxation;
  double complex *psi = lac_exit_waves_get(waves, visit);

  memcpy(other, bench->fields, n * sizeof *other);
  memcpy(bench->fields, psi, n * sizeof *psi);
  lac_exit_waves_measure(waves, visit, bench);
  for (gsize i = 0; i < n; i++)
    psi[i] = beta * (psi[i] + other[i]) + (1 - 2 * beta) * bench->fields[i];
}

static gboolean
step(gpointer data, LacRetrievalReport *report, GError **error G_GNUC_UNUSED)
{
  Raar *raar = data;

  raar->waves->relaxation = raar->params.raar_relaxation;
  lac_exit_waves_step(raar->waves, prepare, move);
  lac_seeker_finish_step(&raar->seeker, raar->params.raar_iterations, report);
  return TRUE;
}

static void
save(gpointer data, LacStore *store)
{
  lac_seeker_save(data, store);
  lac_exit_waves_save(((Raar *) data)->waves, store);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  return lac_exit_waves_load(((Raar *) data)->waves, store, error) &&
         lac_seeker_load(data, store, error);
}

static void
retune(gpointer data, gconstpointer params)
{
  ((Raar *) data)->params.raar_relaxation = ((const Params *) params)->raar_relaxation;
}

const LacRetrieval lac_retrieval_raar = {
  .name = "raar",
  .title = N_("RAAR"),
  .source = "Luke (2005), doi:10.1088/0266-5611/21/1/004",
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .estimate = estimate,
  .curves = lac_seeker_curves,
  .create = create,
  .destroy = destroy,
  .n_steps = n_steps,
  .step = step,
  .object = lac_seeker_object,
  .predict = lac_seeker_predict,
  .aberrations = lac_seeker_aberrations,
  .positions = lac_seeker_positions,
  .save = save,
  .load = load,
  .retune = retune,
};
