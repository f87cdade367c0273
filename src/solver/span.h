/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing spans for one operation of a solver, one span per call. */
#pragma once

#include "solver/solver.h"

G_BEGIN_DECLS

#define LAC_SOLVER_BACKWARDS \
  "%s backwards"                  /* operation name of the reverse pass of "smoke steps" */
#define LAC_SOLVER_REVERSE_COST 3 /* of a reverse step, in forward steps */

typedef struct {
  LacLane *lane; /* borrowed; NULL: nothing is recorded */
  guint32  name;
} LacSolverSpan;

/* Makes the span of an operation; an empty one if the device takes the time of its steps. @name: as in the table of
 * operations: "smoke steps" */
LacSolverSpan lac_solver_span(const LacSolverSettings *settings, const char *name);

/* Records @n_steps that began at @start_ns (lac_clock_ns()); @flops: for all of them. */
void lac_solver_span_push(const LacSolverSpan *span, gint64 start_ns, gsize n_steps, double flops);

G_END_DECLS
