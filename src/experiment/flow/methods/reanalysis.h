/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of observations seen through the solver of a scene: the misfit of the trajectory as a function of unknown
 * coefficients and of the state that it begins with, and its exact gradient:
 *   J = 1/2 sum_k sum_i ((H x_k - y_k)_i / sigma_i)^2 + 1/2 |a|^2 + 1/2 |(theta - theta_b) / s|^2,
 *   x_first = background + s sum_m a_m S_m phi_m,  x_(k+1) = M_theta(x_k).
 * Where the scene knows some fields of the beginning, modes and mean of the others alone are taken.
 * Modes phi_m with deviations S_m are the prior of the state; theta: logarithms of positive coefficients, the others as
 * multiples of their guesses. In the first window there is no prior of theta. All in double, on the processor.
 * Source: Le Dimet and Talagrand (1986), doi:10.1111/j.1600-0870.1986.tb00459.x */
#pragma once

#include "experiment/flow/observations.h"
#include "experiment/flow/scene.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

/* Everything is borrowed. */
typedef struct {
  const LacContext      *context;
  const LacCase         *subject;
  const LacTruth        *grid;
  const LacObservations *observations;
  gboolean               scalars; /* the unknown coefficients are sought */
  const LacPod          *pod; /* not NULL: the state at the beginning is sought in these modes */
} LacReanalysisSettings;

typedef struct _LacReanalysis LacReanalysis;

/* Returns: %NULL with an error: the solver cannot be made, or nobody knows the state at the beginning. */
LacReanalysis *lac_reanalysis_new(const LacReanalysisSettings *settings, GError **error);
void           lac_reanalysis_free(LacReanalysis *reanalysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReanalysis, lac_reanalysis_free)

/* Whether the beginning of that field of the solver is sought, where beginnings are. */
gboolean lac_reanalysis_has_unknowns(const LacCase *subject, guint field);

gsize
lac_reanalysis_get_length(const LacReanalysis *reanalysis); /* numbers sought: theta, then a */
gsize lac_reanalysis_get_bytes(const LacReanalysis *reanalysis);

/* The guesses of the scene, and a = 0. */
void lac_reanalysis_guess(const LacReanalysis *reanalysis, double *control);

typedef struct {
  gsize first, n_times; /* observations */
  const double
        *background; /* [n_model]; NULL: what is known, and the mean of the modes of what is not */
  double spread;     /* s */
  const double *scalars; /* theta_b; NULL: no prior */
} LacReanalysisWindow;

/* The arrays are copied. */
void lac_reanalysis_find_window(LacReanalysis *reanalysis, const LacReanalysisWindow *place);

/* J and its gradient, [length]. Does not allocate. J is not finite where the forecast leaves the numbers. */
gboolean lac_reanalysis_evaluate(LacReanalysis *reanalysis,
                                 const double  *control,
                                 double        *gradient,
                                 double        *loss,
                                 GError       **error);

/* The state at observation @k, at or after the first one. Returns: (transfer none): until the next call; NULL with an error. */
const double *
lac_reanalysis_get_state(LacReanalysis *reanalysis, const double *control, gsize k, GError **error);

/* Mean of ((H x - y) / sigma)^2 over the window: 1 where the misfit is the noise. NaN with an error. */
double lac_reanalysis_get_misfit(LacReanalysis *reanalysis, const double *control, GError **error);

/* All parameters of the solver. */
void lac_reanalysis_get_parameters(const LacReanalysis *reanalysis,
                                   const double        *control,
                                   double              *parameters);

/* Of one evaluation of J and its gradient. */
double lac_reanalysis_get_flops(const LacReanalysis *reanalysis);

G_END_DECLS
