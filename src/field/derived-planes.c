/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derived channels and their planes. */
#include "field/derived-planes.h"

#include <math.h>
#include <string.h>

typedef struct {
  LacDerived kind;
  gsize      u, v; /* channels of the run's velocity */
} Origin;

struct _LacDerivedPlanes {
  GArray    *channels; /* array of LacChannel */
  GArray    *origins;  /* array of Origin, for the channels after the run's */
  GPtrArray *texts;    /* keys and units of the derived channels */
  gsize      n_own;
};

static gboolean
has_quantity(const LacChannel *channels, gsize n_channels, const char *quantity)
{
  for (gsize i = 0; i < n_channels; i++)
    if (g_strcmp0(channels[i].quantity, quantity) == 0)
      return TRUE;
  return FALSE;
}

/* Returns TRUE for planes in space; a plane over time has only one velocity component. */
static gboolean
can_be_derived(const LacChannel *channel)
{
  return channel->role != LAC_ROLE_OTHER && g_strcmp0(channel->axis_x, "t") != 0 &&
         g_strcmp0(channel->axis_y, "t") != 0;
}

static void
add_channel(LacDerivedPlanes *self, LacDerived kind, gsize u, gsize v)
{
  LacChannel  channel = g_array_index(self->channels, LacChannel, u);
  const char *point = strchr(channel.key, '.');
  char       *key = g_strconcat(lac_derived_quantity(kind), point != NULL ? point : "", NULL);
  char       *unit = lac_derived_dup_unit(kind, channel.unit, channel.axis_unit_x);
  Origin      origin = {kind, u, v};
  g_ptr_array_add(self->texts, key);
  g_ptr_array_add(self->texts, unit);
  channel.key = key;
  channel.unit = unit;
  channel.quantity = lac_derived_quantity(kind);
  channel.colour_map = kind == LAC_DERIVED_SPEED ? "ember" : "balance";
  g_array_append_val(self->channels, channel);
  g_array_append_val(self->origins, origin);
}

LacDerivedPlanes *
lac_derived_planes_new(const LacChannel *channels, gsize n_channels)
{
  LacDerivedPlanes *self = g_new0(LacDerivedPlanes, 1);
  self->channels = g_array_new(FALSE, FALSE, sizeof(LacChannel));
  self->origins = g_array_new(FALSE, FALSE, sizeof(Origin));
  self->texts = g_ptr_array_new_with_free_func(g_free);
  self->n_own = n_channels;
  g_array_append_vals(self->channels, channels, (guint) n_channels);
  for (LacDerived kind = 0; kind < LAC_N_DERIVED; kind++) {
    if (has_quantity(channels, n_channels, lac_derived_quantity(kind)))
      continue;
    for (gsize u = 0; u < n_channels; u++) {
      gssize v = lac_velocity_partner(channels, n_channels, u);
      if (v >= 0 && can_be_derived(&channels[u]))
        add_channel(self, kind, u, (gsize) v);
    }
  }
  return self;
}

void
lac_derived_planes_free(LacDerivedPlanes *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->channels);
  g_array_unref(self->origins);
  g_ptr_array_unref(self->texts);
  g_free(self);
}

const LacChannel *
lac_derived_planes_get_channels(const LacDerivedPlanes *self, gsize *n)
{
  *n = self->channels->len;
  return (const LacChannel *) (gconstpointer) self->channels->data;
}

gboolean
lac_derived_planes_has(const LacDerivedPlanes *self, const char *quantity)
{
  for (guint i = 0; i < self->origins->len; i++)
    if (g_str_equal(lac_derived_quantity(g_array_index(self->origins, Origin, i).kind), quantity))
      return TRUE;
  return FALSE;
}

static void
copy_plane(const LacPlane *source, LacPlane *target)
{
  float *data = target->data;
  memcpy(data, source->data, source->nx * source->ny * sizeof *data);
  *target = *source;
  target->data = data;
}

static void
fill(const LacDerivedPlanes *self, guint i, const char *quantity, LacFrame *frame)
{
  const Origin   *origin = &g_array_index(self->origins, Origin, i);
  LacPlane       *plane = &frame->planes[self->n_own + i];
  const LacPlane *u = &frame->planes[origin->u], *v = &frame->planes[origin->v];
  gboolean        periodic = g_array_index(self->channels, LacChannel, origin->u).periodic;
  if (g_str_equal(lac_derived_quantity(origin->kind), quantity) && u->nx == v->nx &&
      u->ny == v->ny && u->nx >= 3 && u->ny >= 3) {
    lac_derived_fill(origin->kind, u, v, periodic, plane);
    return;
  }
  for (gsize k = 0; k < plane->nx * plane->ny; k++)
    plane->data[k] = NAN;
  lac_plane_measure(plane);
}

LacFrame *
lac_derived_planes_extend(const LacDerivedPlanes *self, const LacFrame *frame, const char *quantity)
{
  g_return_val_if_fail(frame->n_planes == self->n_own && quantity != NULL, NULL);
  g_autofree gsize(*sizes)[2] = g_malloc(sizeof *sizes * (self->channels->len + 1));
  for (guint i = 0; i < self->channels->len; i++) {
    gsize of = i < self->n_own ? i : g_array_index(self->origins, Origin, i - self->n_own).u;
    sizes[i][0] = frame->planes[of].nx;
    sizes[i][1] = frame->planes[of].ny;
  }
  LacFrame *whole = lac_frame_new(self->channels->len, (const gsize(*)[2]) sizes, frame->n_markers,
                                  frame->n_metrics);
  whole->sequence = frame->sequence;
  whole->step = frame->step;
  whole->seconds = frame->seconds;
  whole->made_ns = frame->made_ns;
  memcpy(whole->markers, frame->markers, frame->n_markers * sizeof *frame->markers);
  memcpy(whole->metrics, frame->metrics, frame->n_metrics * sizeof *frame->metrics);
  for (gsize i = 0; i < self->n_own; i++)
    copy_plane(&frame->planes[i], &whole->planes[i]);
  for (guint i = 0; i < self->origins->len; i++)
    fill(self, i, quantity, whole);
  return whole;
}
