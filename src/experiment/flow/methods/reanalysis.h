/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 4D-Var over a window of observations: the misfit of the solver's trajectory as a function of unknown coefficients
 * and of the initial state, with its exact gradient:
 *   J = 1/2 sum_k sum_i ((H x_k - y_k)_i / sigma_i)^2 + 1/2 |a|^2 + 1/2 |(theta - theta_b) / s|^2,
 *   x_first = background + s sum_m a_m S_m phi_m,  x_(k+1) = M_theta(x_k).
 * If the scene gives some initial fields, the modes and their mean are used for the other fields only. The modes
 * phi_m with deviations S_m form the prior on the state. theta holds the logarithms of positive coefficients, and the
 * other coefficients as multiples of their guesses. The first window has no prior on theta. All in double, on the CPU.
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
  gboolean               scalars; /* estimate the unknown coefficients */
  const LacPod          *pod;     /* not NULL: estimate the initial state in these modes */
} LacReanalysisSettings;

typedef struct _LacReanalysis LacReanalysis;

/* Returns: %NULL with an error if the solver cannot be made or the initial state is unknown. */
LacReanalysis *lac_reanalysis_new(const LacReanalysisSettings *settings, GError **error);
void           lac_reanalysis_free(LacReanalysis *reanalysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacReanalysis, lac_reanalysis_free)

/* Returns TRUE when solver field @field of the initial state is among the unknowns of an initial-state estimate. */
gboolean lac_reanalysis_has_unknowns(const LacCase *subject, guint field);

gsize lac_reanalysis_get_length(
  const LacReanalysis *reanalysis); /* length of the control vector: theta, then a */
gsize lac_reanalysis_get_bytes(const LacReanalysis *reanalysis);

/* Sets @control to the guesses of the scene and a = 0. */
void lac_reanalysis_guess(const LacReanalysis *reanalysis, double *control);

typedef struct {
  gsize first, n_times; /* index of the first observation; number of observations */
  const double
    *background; /* [n_model]; NULL: the known fields, and the mean of the modes for the others */
  double        spread;  /* spread s of both priors */
  const double *scalars; /* theta_b; NULL: no prior */
} LacReanalysisWindow;

/* Sets the window; the arrays are copied. */
void lac_reanalysis_find_window(LacReanalysis *reanalysis, const LacReanalysisWindow *place);

/* Computes J and its gradient, [length]. Does not allocate. J is not finite if the forecast diverges. */
gboolean lac_reanalysis_evaluate(LacReanalysis *reanalysis,
                                 const double  *control,
                                 double        *gradient,
                                 double        *loss,
                                 GError       **error);

/* Computes the state at observation @k, which must not precede the window. Returns: (transfer none): the state, valid
 * until the next call; NULL with an error. */
const double *
lac_reanalysis_get_state(LacReanalysis *reanalysis, const double *control, gsize k, GError **error);

/* Returns the mean of ((H x - y) / sigma)^2 over the window: 1 if the misfit equals the noise. NaN with an error. */
double lac_reanalysis_get_misfit(LacReanalysis *reanalysis, const double *control, GError **error);

/* Computes the standard deviations of the unknown coefficients at an optimum, by Laplace's approximation with the inverse
 * of the Hessian of J (differences of its gradient), so that the uncertainty of the initial state is included; where
 * the misfit is above 1, they are multiplied by its root. @deviations: [number of unknowns], in the order of
 * lac_case_list_unknowns(); where the Hessian is not positive, as before convergence, a coefficient's own magnitude.
 * Does not allocate. Source: Tarantola (2005), doi:10.1137/1.9780898717921, 3.2. */
gboolean lac_reanalysis_find_deviations(LacReanalysis *reanalysis,
                                        const double  *control,
                                        double        *deviations,
                                        GError       **error);

/* Returns all parameters of the solver. */
void lac_reanalysis_get_parameters(const LacReanalysis *reanalysis,
                                   const double        *control,
                                   double              *parameters);

/* Returns the floating-point operations per evaluation of J and its gradient. */
double lac_reanalysis_get_flops(const LacReanalysis *reanalysis);

G_END_DECLS
