/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's own solver in the hands of those who run it: truths and the methods that forecast. */
#pragma once

#include "experiment/flow/method.h"

G_BEGIN_DECLS

/* The solver of @subject, which has one. Returns: what its row destroys; %NULL with an error of its create(). */
gpointer lac_forecast_new(const LacCase    *subject,
                          const LacContext *context,
                          LacDevice         device,
                          LacType           type,
                          gsize             n_members,
                          GError          **error);

/* A curve for each coefficient that is sought through the solver, in the order of lac_case_list_unknowns().
 * Returns: how many. */
gsize lac_forecast_list_curves(const LacCase *subject, LacCurve *curves);

/* What is shown of @state, whose fields are the first ones of the @n numbers of a snapshot; the rest is NaN, as is all of
 * @deviation (nullable). */
void
lac_forecast_show(const double *state, gsize n_model, gsize n, double *values, double *deviation);

G_END_DECLS
