/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of the members' fields, one after another; requested ones are read back meanwhile. */
#include "experiment/flow/methods/pinn/fields.h"

#include <math.h>
#include <string.h>

#define MOST_AT_ONCE 8192 /* points of a field per replay */

/* Points, and the position of their values in a readback: [n_members][n_fields][n] from element @at on. */
typedef struct {
  const double *x; /* [n][n_axes] */
  gsize         n, at;
} Places;

struct _LacPinnFields {
  LacPinnTrainingData  *training; /* borrowed */
  LacPinnMember *const *members;  /* borrowed */
  guint                 n_members;
  LacDevice             device;
  LacType               type;
  LacPinnProbe         *probe;
  double               *x;                       /* [ny nx][n_axes] */
  double               *values, *mean, *squares; /* [n_fields][largest number of points] */
  gsize                 n_held;                  /* held-out positions at all times */
  double               *held_x;                  /* [n_held][n_axes] */
  double               *held;                    /* [2][n_fields][n_held]: mean and deviation */
  double                scale; /* calibration factor of the deviation, from the held-out points */
  gint64                scaled_at;           /* iteration of the calibration; -1: none */
  LacReadback          *readback;            /* of requested values; NULL: none yet */
  LacPending            sent;                /* readback of the last request */
  gsize                 n_asked, most_asked; /* observations in it, and its capacity */
  gint64                asked_at;            /* iteration of the request */
};

/* ---- life ---- */

static gsize
count_cells(const LacPinnFields *fields)
{
  return fields->training->grid->nx * fields->training->grid->ny;
}

static void
allocate(LacPinnFields *fields)
{
  const LacPinnTrainingData *training = fields->training;
  const LacPde              *pde = training->subject.pde;
  gsize                      most;

  fields->x = g_new0(double, count_cells(fields) * pde->n_axes);
  if (fields->n_members > 1)
    fields->n_held =
      lac_pinn_held_points(&training->subject, training->observations, training->held_out, NULL);
  most = MAX(count_cells(fields), fields->n_held) * pde->n_fields;
  fields->values = g_new0(double, most);
  fields->mean = g_new0(double, most);
  fields->squares = g_new0(double, most);
  fields->held_x = g_new0(double, fields->n_held * pde->n_axes);
  fields->held = g_new0(double, 2 * fields->n_held * pde->n_fields);
  lac_pinn_held_points(&training->subject, fields->n_held ? training->observations : NULL,
                       training->held_out, fields->held_x);
}

LacPinnFields *
lac_pinn_fields_new(LacPinnTrainingData  *training,
                    LacPinnMember *const *members,
                    guint                 n_members,
                    const LacContext     *context,
                    GError              **error)
{
  g_autoptr(LacPinnFields) fields = g_new0(LacPinnFields, 1);

  fields->training = training;
  fields->members = members;
  fields->n_members = n_members;
  fields->device = lac_program_get_device(members[0]->loss->program);
  fields->type = lac_program_get_type(members[0]->loss->program);
  fields->scale = 1;
  fields->scaled_at = -1;
  allocate(fields);
  fields->probe = lac_pinn_probe_new(&training->model, FALSE,
                                     MIN(count_cells(fields), MOST_AT_ONCE), context, error);
  return fields->probe ? g_steal_pointer(&fields) : NULL;
}

void
lac_pinn_fields_free(LacPinnFields *fields)
{
  if (!fields)
    return;
  lac_readback_free(fields->readback);
  lac_pinn_probe_free(fields->probe);
  g_free(fields->x);
  g_free(fields->values);
  g_free(fields->mean);
  g_free(fields->squares);
  g_free(fields->held_x);
  g_free(fields->held);
  g_free(fields);
}

void
lac_pinn_fields_forget(LacPinnFields *fields)
{
  fields->scaled_at = -1;
}

static gint64
get_iteration(const LacPinnFields *fields)
{
  return fields->members[0]->state.progress.iteration;
}

/* ---- points ---- */

static void
place_grid(const LacPinnFields *fields, gsize k)
{
  const LacTruth *grid = fields->training->grid;
  const LacCase  *subject = &fields->training->subject;
  const guint     n_axes = subject->pde->n_axes;

  for (gsize row = 0; row < grid->ny; row++)
    for (gsize column = 0; column < grid->nx; column++) {
      double *x = fields->x + (row * grid->nx + column) * n_axes;

      if (!subject->steady)
        *x++ = grid->times[k];
      *x++ = lac_truth_get_x(grid, column);
      if (n_axes > (subject->steady ? 1u : 2u))
        *x = lac_truth_get_y(grid, row);
    }
}

/* Returns the number of buffer elements for @n points. */
static gsize
get_length(const LacPinnFields *fields, gsize n)
{
  return n * fields->n_members * fields->training->subject.pde->n_fields;
}

static Places
get_grid(const LacPinnFields *fields, gsize i)
{
  const gsize n = count_cells(fields);

  return (Places){fields->x, n, i * get_length(fields, n)};
}

static Places
get_held(const LacPinnFields *fields)
{
  return (Places){fields->held_x, fields->n_held,
                  fields->most_asked * get_length(fields, count_cells(fields))};
}

/* ---- mean and deviation ---- */

/* Computes the values of member @m, [n_fields][n], by a replay, or takes them from the readback @host. */
static gboolean
get_values(LacPinnFields *fields, guint m, const Places *places, const void *host, GError **error)
{
  LacPinnMember *member = fields->members[m];
  const gsize    length = places->n * fields->training->subject.pde->n_fields;

  if (!host) {
    lac_pinn_member_open(member, fields->probe);
    return lac_pinn_probe_run(fields->probe, lac_program_get_theta(member->loss->program),
                              places->x, places->n, member->state.progress.iteration,
                              fields->values, error);
  }
  for (gsize i = 0; i < length; i++) {
    const gsize from = places->at + m * length + i;

    fields->values[i] = fields->type == LAC_F64 ? ((const double *) host)[from]
                                                : (double) ((const float *) host)[from];
  }
  return TRUE;
}

/* Computes @mean and @deviation, [n_fields][n], over the members. */
static gboolean
predict(LacPinnFields *fields,
        const Places  *places,
        const void    *host,
        double        *mean,
        double        *deviation,
        GError       **error)
{
  const gsize length = places->n * fields->training->subject.pde->n_fields;

  memset(mean, 0, length * sizeof *mean);
  memset(deviation, 0, length * sizeof *deviation);
  for (guint m = 0; m < fields->n_members; m++) {
    if (!get_values(fields, m, places, host, error))
      return FALSE;
    /* Welford's update avoids differences of large sums */
    for (gsize i = 0; i < length; i++) {
      const double before = fields->values[i] - mean[i];

      mean[i] += before / (m + 1);
      deviation[i] += before * (fields->values[i] - mean[i]);
    }
  }
  for (gsize i = 0; i < length; i++)
    deviation[i] =
      fields->n_members > 1 ? sqrt(deviation[i] / (fields->n_members - 1)) : (double) NAN;
  return TRUE;
}

/* Calibrates once per iteration @iteration. */
static gboolean
calibrate(LacPinnFields *fields, gint64 iteration, const void *host, GError **error)
{
  const LacPinnTrainingData *training = fields->training;
  const Places               held = get_held(fields);
  double                    *mean = fields->held;
  double                    *deviation = mean + fields->n_held * training->subject.pde->n_fields;

  if (fields->n_held == 0 || fields->scaled_at == iteration)
    return TRUE;
  if (!predict(fields, &held, host, mean, deviation, error))
    return FALSE;
  fields->scale = lac_pinn_held_scale(&training->subject, training->observations,
                                      training->held_out, mean, deviation);
  fields->scaled_at = iteration;
  return TRUE;
}

static gboolean
report(LacPinnFields *fields,
       const Places  *places,
       const void    *host,
       double        *result,
       double        *deviation,
       GError       **error)
{
  const gsize  length = lac_truth_get_length(fields->training->grid);
  const gint64 iteration = host ? fields->asked_at : get_iteration(fields);

  if (!predict(fields, places, host, fields->mean, fields->squares, error))
    return FALSE;
  memcpy(result, fields->mean, length * sizeof *result);
  if (!deviation)
    return TRUE;
  memcpy(deviation, fields->squares, length * sizeof *deviation);
  if (!calibrate(fields, iteration, host, error))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    deviation[i] *= fields->scale;
  return TRUE;
}

gboolean
lac_pinn_fields_get(LacPinnFields *fields,
                    gsize          k,
                    double        *result,
                    double        *deviation,
                    GError       **error)
{
  const Places grid = get_grid(fields, 0);

  g_return_val_if_fail(k < fields->training->grid->n_times, FALSE);
  place_grid(fields, k);
  return report(fields, &grid, NULL, result, deviation, error);
}

/* ---- beside the training ---- */

/* Returns: FALSE if nothing is read back from the device, or not as much. */
static gboolean
make_room(LacPinnFields *fields, gsize n)
{
  const gsize length =
    n * get_length(fields, count_cells(fields)) + get_length(fields, fields->n_held);

  if (fields->readback)
    return n <= fields->most_asked;
  if (!lac_program_reads_back(fields->members[0]->loss->program))
    return FALSE;
  fields->readback = lac_readback_new(fields->device, length * lac_type_size(fields->type), 1);
  fields->most_asked = n;
  return fields->readback != NULL;
}

static gboolean
put(LacPinnFields *fields, const Places *places)
{
  const gsize length = places->n * fields->training->subject.pde->n_fields;

  for (guint m = 0; m < fields->n_members; m++) {
    LacPinnMember    *member = fields->members[m];
    const LacPinnDrop drop = {fields->readback, places->at + m * length};

    lac_pinn_member_open(member, fields->probe);
    if (!lac_pinn_probe_put(fields->probe, lac_program_get_theta(member->loss->program), places->x,
                            places->n, member->state.progress.iteration, &drop, NULL))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_ready(gpointer owner, guint64 ticket)
{
  return lac_pending_is_ready(&((const LacPinnFields *) owner)->sent);
}

static gboolean
finish(gpointer owner, guint64 ticket, gpointer result, GError **error)
{
  LacPinnFields        *fields = owner;
  const LacFieldValues *to = result;
  const gsize           length = lac_truth_get_length(fields->training->grid);
  const void           *host = NULL;

  if (!lac_pending_finish(&fields->sent, &host, error))
    return FALSE;
  for (gsize i = 0; i < fields->n_asked; i++) {
    const Places grid = get_grid(fields, i);

    if (!report(fields, &grid, host, to->fields + i * length,
                to->deviations ? to->deviations + i * length : NULL, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_pinn_fields_request(LacPinnFields *fields, const gsize *ks, gsize n, LacPending *pending)
{
  static const LacPendingType type = {is_ready, finish};

  if (!make_room(fields, n))
    return FALSE;
  fields->n_asked = n;
  fields->asked_at = get_iteration(fields);
  for (gsize i = 0; i < n; i++) {
    const Places grid = get_grid(fields, i);

    place_grid(fields, ks[i]);
    if (!put(fields, &grid))
      return FALSE;
  }
  if (fields->n_held) {
    const Places held = get_held(fields);

    if (!put(fields, &held))
      return FALSE;
  }
  if (lac_readback_send(fields->readback, &fields->sent) != LAC_STATUS_OK)
    return FALSE;
  *pending = (LacPending){&type, fields, 0};
  return TRUE;
}
