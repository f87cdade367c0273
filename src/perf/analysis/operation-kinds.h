/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by kind of work: evaluating a model, differentiating it, making and moving data, the rest. */
#pragma once

#include "perf/recorder/capture.h"

G_BEGIN_DECLS

typedef enum {
  LAC_KIND_FORWARD,  /* evaluates a model: network, solver, propagation, wavefunction */
  LAC_KIND_BACKWARD, /* its derivatives: reverse mode, adjoint, propagation back */
  LAC_KIND_DATA,     /* true fields, exposures and readings; files */
  LAC_KIND_OTHER,    /* updates, linear algebra, metrics, frames, the profiler */
  LAC_N_KINDS
} LacOperationKind;

/* Returns the kind of the operation or span with this name, also in traces of other programs. */
LacOperationKind lac_operation_kind(const char *name);
/* Returns: "forward", "backward", "data", "other": key in JSON; translatable. */
const char *lac_operation_kind_key(LacOperationKind kind);

typedef struct {
  double ns[LAC_N_KINDS];
} LacKindTimes;

/* Sums own times by kind. @rows: of LacAggregate, from lac_own_times() of the same capture. */
LacKindTimes lac_kind_times_of(const LacCapture *capture, const GArray *rows);
/* @shares: (out): whole per cents that add up to 100; all 0 without any time. */
void lac_kind_times_round(const LacKindTimes *times, guint shares[LAC_N_KINDS]);

G_END_DECLS
