/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One flow per thread; a device that is not concurrent has one. */
#include "solver/members.h"

#include "base/clock.h"
#include "solver/refusal.h"
#include "solver/span.h"

struct _LacMembers {
  LacMembersFlow    flow;
  LacSolverSettings settings;
  guint             n_workers;
  gpointer         *flows;
  LacStatus        *status;
  LacSolverSpan     forwards, backwards;
  /* arguments of the current advance() */
  double       *states;
  const double *parameters;
  gsize         n_steps;
};

void
lac_members_destroy(gpointer data)
{
  LacMembers *members = data;

  for (guint i = 0; i < members->n_workers; i++)
    if (members->flows[i])
      members->flow.destroy(members->flows[i]);
  g_free(members->flows);
  g_free(members->status);
  g_free(members);
}

LacMembers *
lac_members_new(const LacMembersFlow    *flow,
                const LacSolverSettings *settings,
                gconstpointer            data,
                GError                 **error)
{
  LacMembers      *members = g_new0(LacMembers, 1);
  g_autofree char *backwards = g_strdup_printf(LAC_SOLVER_BACKWARDS, flow->work);

  members->flow = *flow;
  members->settings = *settings;
  members->n_workers =
    settings->device.table->concurrent ? lac_pool_get_n_threads(settings->pool) : 1;
  members->flows = g_new0(gpointer, members->n_workers);
  members->status = g_new0(LacStatus, members->n_workers);
  members->forwards = lac_solver_span(settings, flow->work);
  members->backwards = lac_solver_span(settings, backwards);
  for (guint i = 0; i < members->n_workers; i++) {
    members->flows[i] = flow->create(data, settings->is_reversed && i == 0, error);
    if (!members->flows[i]) {
      lac_members_destroy(members);
      return NULL;
    }
  }
  return members;
}

static void
advance_member(gsize member, guint worker, gpointer user_data)
{
  LacMembers           *members = user_data;
  const LacMembersFlow *flow = &members->flow;
  const LacStatus       status =
    flow->advance(members->flows[worker], members->parameters + member * flow->n_parameters,
                  members->states + member * flow->length, members->n_steps);

  if (status != LAC_STATUS_OK)
    members->status[worker] = status;
}

gboolean
lac_members_advance(gpointer      data,
                    double       *states,
                    gsize         n_members,
                    const double *parameters,
                    gsize         n_steps,
                    GError      **error)
{
  LacMembers  *members = data;
  const gint64 start_ns = lac_clock_ns();

  members->states = states;
  members->parameters = parameters;
  members->n_steps = n_steps;
  for (guint i = 0; i < members->n_workers; i++)
    members->status[i] = LAC_STATUS_OK;
  if (members->n_workers > 1)
    lac_pool_run(members->settings.pool, n_members, advance_member, members);
  else
    for (gsize i = 0; i < n_members; i++)
      advance_member(i, 0, members);
  for (guint i = 0; i < members->n_workers; i++)
    if (!lac_solver_check_status(members->status[i], error))
      return FALSE;
  lac_solver_span_push(&members->forwards, start_ns, n_steps * n_members,
                       lac_members_flops(members) * (double) (n_steps * n_members));
  return TRUE;
}

gsize
lac_members_bytes(gconstpointer data)
{
  const LacMembers *members = data;
  gsize             n_bytes = 0;

  for (guint i = 0; i < members->n_workers; i++)
    n_bytes += members->flow.bytes(members->flows[i]);
  return n_bytes;
}

double
lac_members_flops(gconstpointer data)
{
  const LacMembers *members = data;

  return members->flow.flops(members->flows[0]);
}

gpointer
lac_members_get_reversible(gconstpointer members)
{
  return ((const LacMembers *) members)->flows[0];
}

void
lac_members_record_reverse(gconstpointer members, gint64 start_ns, gsize n_steps)
{
  lac_solver_span_push(&((const LacMembers *) members)->backwards, start_ns, n_steps,
                       LAC_SOLVER_REVERSE_COST * lac_members_flops(members) * (double) n_steps);
}

const LacSolverSettings *
lac_members_get_settings(gconstpointer members)
{
  return &((const LacMembers *) members)->settings;
}
