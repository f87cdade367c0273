/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relative L2 norm of the residual of the scene's equation, for an estimate that is known on the grid of the truth
 * alone. Derivatives are spectral along periodic axes, else central differences of second and of fourth order, as along
 * time; the residual is given as the least that both orders support:
 *
 *   max(|r_4| - 2 |r_4 - r_2|, 0) / |largest term|
 *
 * with |.| the root mean square over cells and times, and a term the part of the residual that vanishes with one
 * derivative of one field. Where a periodic flow has no pressure, the residual of its vorticity takes the place of that
 * of its momentum. One caller at a time. */
#pragma once

#include "base/pool.h"
#include "experiment/flow/case.h"
#include "experiment/flow/truth.h"

G_BEGIN_DECLS

/* Consecutive observations of which the one in the middle is evaluated; a steady scene uses that one only. */
#define LAC_EQUATION_TIMES 5

/* Returns TRUE when @n_fields first fields of the equation suffice on the scene's grid. */
gboolean lac_equation_residual_have(const LacCase *subject, guint n_fields);

typedef struct _LacEquationResidual LacEquationResidual;

/* @subject, @grid: borrowed. @pool: (nullable). Returns: (nullable): NULL with an error. */
LacEquationResidual *lac_equation_residual_new(const LacCase  *subject,
                                               const LacTruth *grid,
                                               guint           n_fields,
                                               LacPool        *pool,
                                               GError        **error);
void                 lac_equation_residual_free(LacEquationResidual *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEquationResidual, lac_equation_residual_free)

/* Forgets the times added. */
void lac_equation_residual_clear(LacEquationResidual *self);

/* Adds the residual at time @k; allocates nothing. @fields: around it, each [n_fields of the grid][ny][nx]; of a steady scene only the one
 * in the middle is read. */
gboolean lac_equation_residual_add(LacEquationResidual *self,
                                   const double *const  fields[LAC_EQUATION_TIMES],
                                   gsize                k,
                                   GError             **error);

/* Returns the relative residual of all times added, mean over the equations; NaN without any. */
double lac_equation_residual_get(const LacEquationResidual *self);

G_END_DECLS
