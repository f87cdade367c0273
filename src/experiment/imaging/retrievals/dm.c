/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference map: every exposure's wave moves by the difference of two projections, psi <- psi + M(2 O psi - psi) - O psi, and rests
 * where both agree. Source: Elser (2003), doi:10.1364/JOSAA.20.000040; Thibault et al. (2009), doi:10.1016/j.ultramic.2008.12.011; the
 * measured amplitudes only to within the noise: Giewekemeyer et al. (2010), doi:10.1073/pnas.0905846107 */
#include "experiment/imaging/exit-waves.h"
#include "experiment/imaging/seeker.h"

#include <glib/gi18n-lib.h>

#include <string.h>

typedef struct {
  gint64 dm_iterations;
  gint64 dm_within_noise;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, dm_iterations), LAC_PARAM_INTEGER, "1", 1, 100000, 100, N_("Iterations"), N_("Difference map"), N_("Each works through all exposures at once")},
  {LAC_FIELD(Params, dm_within_noise), LAC_PARAM_SWITCH, "1", 0, 1, 1, N_("Within the noise"), N_("Difference map"), N_("Amplitudes that are as near to the measured ones as noise lets the true ones be are left as they are"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

typedef struct {
  LacSeeker     seeker;
  Params        params;
  LacExitWaves *waves;
} Dm;

static void
estimate(gconstpointer values, const LacRetrievalSize *size, LacEstimate *result)
{
  lac_exit_waves_estimate(size, result);
  result->n_steps = ((const Params *) values)->dm_iterations;
}

static void
destroy(gpointer data)
{
  Dm *dm = data;

  lac_exit_waves_free(dm->waves);
  lac_hypothesis_free(dm->seeker.h);
  g_free(dm);
}

static gpointer
create(gconstpointer values, const LacRetrievalProblem *problem, GError **error)
{
  Dm *dm = g_new0(Dm, 1);

  dm->params = *(const Params *) values;
  dm->seeker.h = lac_hypothesis_new(problem, error);
  if (!dm->seeker.h) {
    destroy(dm);
    return NULL;
  }
  dm->waves = lac_exit_waves_new(dm->seeker.h, dm->params.dm_within_noise != 0);
  return dm;
}

static gint64
n_steps(gconstpointer data)
{
  return ((const Dm *) data)->params.dm_iterations;
}

/* O is taken of the waves as they are. */
static void
prepare(LacExitWaves *waves   G_GNUC_UNUSED,
        gsize visit           G_GNUC_UNUSED,
        LacBench *bench       G_GNUC_UNUSED,
        double complex *other G_GNUC_UNUSED)
{
}

static void
move(LacExitWaves *waves, gsize visit, LacBench *bench, double complex *other)
{
  const gsize     n = waves->h->n_along * waves->h->d * waves->h->d;
  double complex *psi = lac_exit_waves_get(waves, visit);

  for (gsize i = 0; i < n; i++) {
    other[i] = bench->fields[i];
    bench->fields[i] = 2 * other[i] - psi[i];
  }
  lac_exit_waves_measure(waves, visit, bench);
  for (gsize i = 0; i < n; i++)
    psi[i] += bench->fields[i] - other[i];
}

static gboolean
step(gpointer data, LacRetrievalReport *report, GError **error G_GNUC_UNUSED)
{
  Dm *dm = data;

  lac_exit_waves_step(dm->waves, prepare, move);
  lac_seeker_finish_step(&dm->seeker, dm->params.dm_iterations, report);
  return TRUE;
}

static void
save(gpointer data, LacStore *store)
{
  lac_seeker_save(data, store);
  lac_exit_waves_save(((Dm *) data)->waves, store);
}

static gboolean
load(gpointer data, const LacStore *store, GError **error)
{
  return lac_exit_waves_load(((Dm *) data)->waves, store, error) &&
         lac_seeker_load(data, store, error);
}

const LacRetrieval lac_retrieval_dm = {
  .name = "dm",
  .title = N_("Difference map"),
  .source = "Thibault et al. (2009), doi:10.1016/j.ultramic.2008.12.011",
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
};
