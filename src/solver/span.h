/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One kind of a solver's work as the recorder sees it: a span a call. */
#pragma once

#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  LacLane *lane; /* borrowed; NULL: nothing is recorded */
  guint32  name;
} LacSolverSpan;

/* @name: "smoke steps", as it stands in the table of operations. */
LacSolverSpan lac_solver_span(const LacSolverSettings *settings, const char *name);

/* Of @n_steps that began at @start_ns (lac_clock_ns()); @flops: of all of them. */
void lac_solver_span_push(const LacSolverSpan *span, gint64 start_ns, gsize n_steps, double flops);

G_END_DECLS
