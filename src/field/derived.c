/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derived fields by finite differences. */
#include "field/derived.h"

#include <math.h>
#include <string.h>

const char *
lac_derived_quantity(LacDerived derived)
{
  static const char *const names[LAC_N_DERIVED] = {
    [LAC_DERIVED_SPEED] = "speed",
    [LAC_DERIVED_VORTICITY] = "vorticity",
    [LAC_DERIVED_Q_CRITERION] = "q_criterion",
    [LAC_DERIVED_DIVERGENCE] = "divergence",
  };
  g_return_val_if_fail(derived < LAC_N_DERIVED, NULL);
  return names[derived];
}

/* Composes the unit of a velocity divided by a length. */
static char *
dup_rate(const char *velocity, const char *length)
{
  g_autofree char *metric = g_strconcat(length, "/s", NULL);
  if (strcmp(length, "1") == 0)
    return g_strdup(velocity);
  if (strcmp(velocity, metric) == 0)
    return g_strdup("1/s");
  return g_strdup_printf("%s/%s", velocity, length);
}

char *
lac_derived_dup_unit(LacDerived derived, const char *velocity, const char *length)
{
  const char *u = velocity != NULL ? velocity : "1", *x = length != NULL ? length : "1";
  if (derived == LAC_DERIVED_SPEED)
    return g_strdup(u);
  g_autofree char *rate = dup_rate(u, x);
  if (derived != LAC_DERIVED_Q_CRITERION || strcmp(rate, "1") == 0)
    return g_steal_pointer(&rate);
  return strcmp(rate, "1/s") == 0 ? g_strdup("1/s^2") : g_strdup_printf("(%s)^2", rate);
}

gssize
lac_velocity_partner(const LacChannel *channels, gsize n_channels, gsize u)
{
  g_return_val_if_fail(u < n_channels, -1);
  const LacChannel *first = &channels[u];
  if (g_strcmp0(first->quantity, "u") != 0)
    return -1;
  for (gsize i = 0; i < n_channels; i++)
    if (g_strcmp0(channels[i].quantity, "v") == 0 && channels[i].role == first->role &&
        g_strcmp0(channels[i].label, first->label) == 0)
      return (gssize) i;
  return -1;
}

gboolean
lac_velocity_of(const LacChannel *channels, gsize n_channels, gsize of, gsize pair[2])
{
  g_return_val_if_fail(of < n_channels, FALSE);
  for (gsize i = 0; i < n_channels; i++) {
    const LacChannel *u = &channels[i];
    const gssize      v = lac_velocity_partner(channels, n_channels, i);
    if (v < 0 || u->role != channels[of].role || g_strcmp0(u->label, channels[of].label) != 0 ||
        u->layers.n > 0 || u->chart.n > 0 || g_strcmp0(u->axis_x, "t") == 0)
      continue;
    pair[0] = i;
    pair[1] = (gsize) v;
    return TRUE;
  }
  return FALSE;
}

typedef struct {
  gsize    n, stride;
  double   cell;
  gboolean periodic;
} Line;

/* Returns d/dx at position @i of a line of @values. */
static double
slope(const float *values, const Line *line, gsize i)
{
#define AT(k) ((double) values[(k) *line->stride])
  gsize n = line->n;
  if (line->periodic && n >= 7) {
#define WRAP(k) AT((i + n + (gsize) (k)) % n)
    return (45 * (WRAP(1) - WRAP(-1)) - 9 * (WRAP(2) - WRAP(-2)) + (WRAP(3) - WRAP(-3))) /
           (60 * line->cell);
#undef WRAP
  }
  if (line->periodic)
    return (AT((i + 1) % n) - AT((i + n - 1) % n)) / (2 * line->cell);
  if (i == 0)
    return (-3 * AT(0) + 4 * AT(1) - AT(2)) / (2 * line->cell);
  if (i == n - 1)
    return (3 * AT(n - 1) - 4 * AT(n - 2) + AT(n - 3)) / (2 * line->cell);
  return (AT(i + 1) - AT(i - 1)) / (2 * line->cell);
#undef AT
}

static double
combine(LacDerived derived, double u_x, double u_y, double v_x, double v_y)
{
  switch (derived) {
  case LAC_DERIVED_VORTICITY: return v_x - u_y;
  case LAC_DERIVED_Q_CRITERION: return -0.5 * (u_x * u_x + v_y * v_y) - u_y * v_x;
  case LAC_DERIVED_DIVERGENCE: return u_x + v_y;
  case LAC_DERIVED_SPEED:
  case LAC_N_DERIVED: break;
  }
  g_return_val_if_reached(NAN);
}

static void
fill_rates(LacDerived      derived,
           const LacPlane *u,
           const LacPlane *v,
           gboolean        periodic,
           LacPlane       *out)
{
  gsize nx = u->nx, ny = u->ny;
  Line  along = {nx, 1, (u->x_max - u->x_min) / (double) (nx - 1), periodic};
  Line  up = {ny, nx, (u->y_max - u->y_min) / (double) (ny - 1), periodic};
  for (gsize j = 0; j < ny; j++)
    for (gsize i = 0; i < nx; i++)
      out->data[j * nx + i] =
        (float) combine(derived, slope(u->data + j * nx, &along, i), slope(u->data + i, &up, j),
                        slope(v->data + j * nx, &along, i), slope(v->data + i, &up, j));
}

void
lac_derived_fill(LacDerived      derived,
                 const LacPlane *u,
                 const LacPlane *v,
                 gboolean        periodic,
                 LacPlane       *out)
{
  g_return_if_fail(derived < LAC_N_DERIVED);
  g_return_if_fail(u->nx == v->nx && u->ny == v->ny && u->nx == out->nx && u->ny == out->ny);
  g_return_if_fail(u->nx >= 3 && u->ny >= 3);
  out->x_min = u->x_min;
  out->x_max = u->x_max;
  out->y_min = u->y_min;
  out->y_max = u->y_max;
  if (derived == LAC_DERIVED_SPEED)
    for (gsize i = 0; i < u->nx * u->ny; i++)
      out->data[i] = hypotf(u->data[i], v->data[i]);
  else
    fill_rates(derived, u, v, periodic, out);
  lac_plane_measure(out);
}
