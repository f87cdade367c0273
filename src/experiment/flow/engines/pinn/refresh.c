/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a member's residuals are looked at: points drawn anew, or chosen among candidates by how large the residual is there. */
#include "experiment/flow/engines/pinn/collocation.h"
#include "experiment/flow/engines/pinn/member-private.h"

#include <math.h>
#include <string.h>

#define RAR_SHARE 10 /* a refresh adds one in this many */

static LacPinnDomain
get_domain(const LacPinnMember *member)
{
  const LacPinnCourse *course = member->course;

  return (LacPinnDomain){
    .subject = &course->subject,
    .grid = course->grid,
    .half = course->params.mirror != 0,
    .last = (double) (member->state.window + 1) / (double) course->params.windows,
    .order = course->order,
  };
}

/* Candidates and, in course->sizes, how large the residuals are there: the weighted norm over all equations. */
static gboolean
fill_pool(LacPinnMember *member, LacRng *rng, GError **error)
{
  LacPinnCourse      *course = member->course;
  const LacPinnDomain domain = get_domain(member);
  const gsize         n = course->n_pool;

  lac_pinn_member_open(member, course->pool);
  if (!lac_pinn_domain_sample(&domain, (LacSampling) course->params.sampling, rng, n,
                              course->candidates, error) ||
      !lac_pinn_probe_run(course->pool, lac_program_get_theta(member->loss->program),
                          course->candidates, n, member->state.progress.iteration,
                          course->residuals, error))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    double square = 0;

    for (guint j = 0; j < course->subject.pde->n_residuals; j++) {
      const double r = course->residuals[j * n + i];

      square += member->loss->terms[j].factor * r * r;
    }
    course->sizes[i] = isfinite(square) ? sqrt(square) : 0;
  }
  return TRUE;
}

/* Candidates by residual into points @first to @first + @n. */
static gboolean
choose(LacPinnMember *member, LacRng *rng, gsize first, gsize n, GError **error)
{
  LacPinnCourse       *course = member->course;
  const LacPinnParams *params = &course->params;
  const guint          n_axes = course->subject.pde->n_axes;

  if (!fill_pool(member, rng, error))
    return FALSE;
  lac_collocation_weigh(course->sizes, course->n_pool, params->rad_power, params->rad_offset,
                        course->sizes);
  lac_collocation_race(rng, course->sizes, course->keys, course->n_pool, course->chosen, n);
  for (gsize i = 0; i < n; i++)
    memcpy(member->loss->x[0] + (first + i) * n_axes,
           course->candidates + course->chosen[i] * n_axes, n_axes * sizeof(double));
  return TRUE;
}

static gboolean
add_points(LacPinnMember *member, LacRng *rng, GError **error)
{
  const gsize n = (gsize) member->course->params.points;
  const gsize first = (gsize) member->state.n_active;
  const gsize more = MIN(MAX(n / RAR_SHARE, 1), n - first);

  if (more == 0)
    return TRUE;
  member->state.n_active += (gint64) more;
  return choose(member, rng, first, more, error);
}

/* Points that are not in use yet stand on the first one and count nothing. */
static void
set_active(LacPinnMember *member)
{
  LacPinnLoss *loss = member->loss;
  const guint  n_axes = member->course->subject.pde->n_axes;
  const gsize  n = loss->sets[0].n, n_active = (gsize) member->state.n_active;

  for (gsize i = n_active; i < n; i++)
    memcpy(loss->x[0] + i * n_axes, loss->x[0], n_axes * sizeof(double));
  for (guint p = 0; p < loss->n_parts; p++)
    for (gsize i = 0; loss->terms[loss->parts[p].term].kind == LAC_PINN_RESIDUAL && i < n; i++)
      loss->parts[p].base[i] = i < n_active ? (double) n / (double) n_active : 0;
}

void
lac_pinn_member_feed(LacPinnMember *member)
{
  set_active(member);
  lac_pinn_loss_feed_points(member->loss, 0);
  lac_pinn_weights_apply(member->weights, member->loss);
}

void
lac_pinn_member_sample_conditions(LacPinnMember *member)
{
  LacRng rng =
    lac_pinn_member_get_rng(member, LAC_PINN_STREAM_CONDITIONS, member->state.n_refreshed);

  lac_pinn_loss_sample_conditions(member->loss, &rng);
}

gboolean
lac_pinn_member_refresh(LacPinnMember *member, GError **error)
{
  LacPinnCourse       *course = member->course;
  const LacPinnParams *params = &course->params;
  const LacPinnDomain  domain = get_domain(member);
  const gsize          n = (gsize) params->points;
  const gint64         number = member->state.n_refreshed++;
  LacRng               rng = lac_pinn_member_get_rng(member, LAC_PINN_STREAM_POINTS, number);
  gboolean             done;

  if (number == 0 && params->rule == LAC_PINN_POINTS_RAR)
    member->state.n_active = MAX(params->points / 2, 1);
  else if (params->rule != LAC_PINN_POINTS_RAR)
    member->state.n_active = params->points;
  if (number > 0 && params->rule == LAC_PINN_POINTS_RAD)
    done = choose(member, &rng, 0, n, error);
  else if (number > 0 && params->rule == LAC_PINN_POINTS_RAR)
    done = add_points(member, &rng, error);
  else
    done = lac_pinn_domain_sample(&domain, (LacSampling) params->sampling, &rng,
                                  (gsize) member->state.n_active, member->loss->x[0], error);
  if (!done)
    return FALSE;
  lac_pinn_member_sample_conditions(member);
  if (params->rule != LAC_PINN_POINTS_FIXED)
    lac_pinn_weights_restart(member->weights, member->loss);
  lac_pinn_member_feed(member);
  return TRUE;
}
