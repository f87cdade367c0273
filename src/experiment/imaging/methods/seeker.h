/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A method whose state is a hypothesis and little else: what LacRetrieval asks of all such methods, written once. It is the first member of
 * theirs, so that a retrieval is a seeker. */
#pragma once

#include "experiment/imaging/methods/hypothesis.h"

G_BEGIN_DECLS

typedef struct {
  LacHypothesis *h;
  gint64         n_done; /* steps */
} LacSeeker;

/* @size: of the method's own struct. Returns: (transfer full): it, zeroed but for the seeker; NULL with an error where there are no such
 * optics. */
gpointer lac_seeker_new(gsize size, const LacRetrievalProblem *problem, GError **error);
void     lac_seeker_free(gpointer seeker);

/* After the work of a step: counts it, judges it, and ends the run with step @n_steps. */
void lac_seeker_finish_step(LacSeeker *seeker, gint64 n_steps, LacTurnReport *report);

/* As of LacRetrieval; curves are those of a hypothesis. */
gsize lac_seeker_curves(gconstpointer params, const LacRetrievalCommon *common, LacCurve *curves);
void  lac_seeker_object(gpointer retrieval, double complex *object);
void  lac_seeker_predict(gpointer retrieval, gsize visit, double *image);
void  lac_seeker_aberrations(gconstpointer retrieval, double *coefficients);
void  lac_seeker_positions(gconstpointer retrieval, double (*centres)[2]);
void  lac_seeker_save(gpointer retrieval, LacStore *store);
gboolean lac_seeker_load(gpointer retrieval, const LacStore *store, GError **error);

G_END_DECLS
