/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ensemble members distributed over threads. Every worker has its own flow; the flow of the first worker is also
 * reversible where the settings ask for it. Shared by solvers whose flows hold one state at a time. */
#pragma once

#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct _LacMembers LacMembers;

/* Interface of the flow of one worker. */
typedef struct {
  const char *work;   /* operation name: "smoke steps" */
  gsize       length; /* values per state */
  guint       n_parameters;
  gpointer (*create)(gconstpointer data, gboolean is_reversible, GError **error);
  void (*destroy)(gpointer flow);
  /* Advances one member in place. */
  LacStatus (*advance)(gpointer flow, const double *parameters, double *state, gsize n_steps);
  gsize (*bytes)(gconstpointer flow);
  double (*flops)(gconstpointer flow); /* floating-point operations per step */
} LacMembersFlow;

/* @data: passed to create(), borrowed during the call. Returns: %NULL with an error from create(). */
LacMembers *lac_members_new(const LacMembersFlow    *flow,
                            const LacSolverSettings *settings,
                            gconstpointer            data,
                            GError                 **error);

/* Callbacks for a LacSolver whose self is a LacMembers. */
void     lac_members_destroy(gpointer members);
gboolean lac_members_advance(gpointer      members,
                             double       *states,
                             gsize         n_members,
                             const double *parameters,
                             gsize         n_steps,
                             GError      **error);
gsize    lac_members_bytes(gconstpointer members);
double   lac_members_flops(gconstpointer members);

#define LAC_MEMBERS_CALLBACKS                                                                 \
  .destroy = lac_members_destroy, .advance = lac_members_advance, .bytes = lac_members_bytes, \
  .flops = lac_members_flops

/* Helpers for the other callbacks: return the reversible flow (borrowed), record @n_steps of the reverse pass that
 * began at @start_ns (lac_clock_ns()), and return the settings of the members. */
gpointer lac_members_get_reversible(gconstpointer members);
void     lac_members_record_reverse(gconstpointer members, gint64 start_ns, gsize n_steps);
const LacSolverSettings *lac_members_get_settings(gconstpointer members);

G_END_DECLS
