/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's solver as used for reference solutions and by forecasting methods. */
#pragma once

#include "experiment/flow/method.h"

G_BEGIN_DECLS

typedef struct {
  LacDevice device;
  LacType   type;
  gsize     n_members;
  gboolean  is_reversed; /* its reverse() is called */
} LacForecastSettings;

/* Makes the solver of @subject, which must have one. Returns: a solver, to be destroyed with
 * subject->solver->destroy(); %NULL with the error of its create(). */
gpointer lac_forecast_new(const LacCase             *subject,
                          const LacContext          *context,
                          const LacForecastSettings *wanted,
                          GError                   **error);

/* Lists a curve for each coefficient estimated through the solver, in the order of lac_case_list_unknowns(). Returns:
 * their number. */
gsize lac_forecast_list_curves(const LacCase *subject, LacCurve *curves);

/* Lists a curve for the standard error of each of them: the metric of the coefficient finds it by its key. Returns: their
 * number. */
gsize lac_forecast_list_errors(const LacCase *subject, LacCurve *curves);

/* Copies the @n_model values of @state to the beginning of @values, [n], and fills the rest and all of @deviation
 * (nullable) with NaN. */
void
lac_forecast_show(const double *state, gsize n_model, gsize n, double *values, double *deviation);

G_END_DECLS
