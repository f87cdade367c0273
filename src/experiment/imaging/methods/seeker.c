/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a retrieval is answered by its hypothesis. */
#include "experiment/imaging/methods/seeker.h"

#include <string.h>

gpointer
lac_seeker_new(gsize size, const LacRetrievalProblem *problem, GError **error)
{
  g_return_val_if_fail(size >= sizeof(LacSeeker), NULL);
  LacHypothesis *h = lac_hypothesis_new(problem, error);
  LacSeeker     *seeker;

  if (!h)
    return NULL;
  seeker = g_malloc0(size);
  seeker->h = h;
  return seeker;
}

void
lac_seeker_free(gpointer seeker)
{
  lac_hypothesis_free(((LacSeeker *) seeker)->h);
  g_free(seeker);
}

void
lac_seeker_finish_step(LacSeeker *seeker, gint64 n_steps, LacTurnReport *report)
{
  seeker->n_done++;
  lac_hypothesis_finish_step(seeker->h, seeker->n_done, report);
  if (seeker->n_done >= n_steps && report->outcome == LAC_OUTCOME_CONTINUE)
    report->outcome = LAC_OUTCOME_FINISHED;
}

gsize
lac_seeker_curves(gconstpointer params      G_GNUC_UNUSED,
                  const LacRetrievalCommon *common,
                  LacCurve                 *curves)
{
  return lac_hypothesis_curves(common, curves);
}

void
lac_seeker_object(gpointer retrieval, double complex *object)
{
  const LacHypothesis *h = ((LacSeeker *) retrieval)->h;

  memcpy(object, h->object, h->s * h->s * sizeof *object);
}

void
lac_seeker_predict(gpointer retrieval, gsize visit, double *image)
{
  lac_hypothesis_predict(((LacSeeker *) retrieval)->h, visit, image);
}

void
lac_seeker_aberrations(gconstpointer retrieval, double *coefficients)
{
  const LacHypothesis *h = ((const LacSeeker *) retrieval)->h;

  memcpy(coefficients, h->coefficients,
         (gsize) h->problem.common->aberrations * sizeof *coefficients);
}

void
lac_seeker_positions(gconstpointer retrieval, double (*centres)[2])
{
  lac_hypothesis_positions(((const LacSeeker *) retrieval)->h, centres);
}

void
lac_seeker_save(gpointer retrieval, LacStore *store)
{
  const LacSeeker *seeker = retrieval;

  lac_store_put_bytes(store, "progress", &seeker->n_done, sizeof seeker->n_done);
  lac_hypothesis_save(seeker->h, store);
}

gboolean
lac_seeker_load(gpointer retrieval, const LacStore *store, GError **error)
{
  LacSeeker    *seeker = retrieval;
  const gint64 *n_done = lac_store_get_bytes(store, "progress", sizeof *n_done, error);

  if (!n_done || !lac_hypothesis_load(seeker->h, store, error))
    return FALSE;
  seeker->n_done = *n_done;
  return TRUE;
}
