/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an equation holds: its axes, and what is cut out. */
#include "run/plan/equation-private.h"

#include <string.h>

gboolean
lac_equation_read_axis(LacEquation    *equation,
                       guint           i,
                       struct fy_node *key,
                       struct fy_node *value,
                       GError        **error)
{
  double ends[2];

  if (!lac_equation_is_pair(equation, "domain", key, value, error) ||
      !lac_equation_take_name(equation, key, &equation->axes[i], error) ||
      !lac_equation_read_numbers(equation, value, key, 2, ends, error))
    return FALSE;
  if (strlen(equation->axes[i]) != 1 || !strchr("txy", *equation->axes[i]))
    return LAC_EQUATION_REFUSE(equation, key, error, "%s is no axis; axes are t, x and y",
                               equation->axes[i]);
  if (i > 0 && *equation->axes[i] == 't')
    return LAC_EQUATION_REFUSE(equation, key, error, "t is the first axis");
  if (ends[0] >= ends[1])
    return LAC_EQUATION_REFUSE(equation, key, error, "%s ends where it begins, or before",
                               equation->axes[i]);
  equation->text.lower[i] = ends[0];
  equation->text.upper[i] = ends[1];
  equation->text.pde.symbols.n_axes = i + 1;
  return TRUE;
}

gboolean
lac_equation_read_periodic(LacEquation        *equation,
                           guint i             G_GNUC_UNUSED,
                           struct fy_node *key G_GNUC_UNUSED,
                           struct fy_node     *value,
                           GError            **error)
{
  guint axis;

  if (!lac_equation_find_name(equation, value, equation->axes, equation->text.pde.symbols.n_axes,
                              &axis, error))
    return FALSE;
  equation->text.periodic[axis] = TRUE;
  return TRUE;
}

static gboolean
read_polygon(LacEquation    *equation,
             struct fy_node *node,
             struct fy_node *near,
             LacHole        *hole,
             GError        **error)
{
  const int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : 0;

  if (n < 3 || n > 1000)
    return LAC_EQUATION_REFUSE(equation, near, error,
                               "a polygon has 3 to 1000 corners [x, y], in [ ]");
  hole->n_corners = (gsize) n;
  hole->corners = g_new0(double, 2 * hole->n_corners);
  g_ptr_array_add(equation->corners, hole->corners);
  for (int i = 0; i < n; i++)
    if (!lac_equation_read_numbers(equation, fy_node_sequence_get_by_index(node, i), near, 2,
                                   hole->corners + 2 * i, error))
      return FALSE;
  return TRUE;
}

gboolean
lac_equation_read_hole(LacEquation    *equation,
                       guint           i,
                       struct fy_node *key,
                       struct fy_node *value,
                       GError        **error)
{
  LacHole             *hole = &equation->text.holes[i];
  void                *at = NULL;
  struct fy_node_pair *pair = NULL;
  double               disc[3];

  if (!key && fy_node_is_mapping(value) && (pair = fy_node_mapping_iterate(value, &at)) != NULL) {
    key = fy_node_pair_key(pair);
    value = fy_node_pair_value(pair);
  }
  equation->text.n_holes = i + 1;
  g_autofree char *kind = lac_yaml_dup_scalar(key);
  if (g_strcmp0(kind, "polygon") == 0)
    return read_polygon(equation, value, key, hole, error);
  if (g_strcmp0(kind, "disc") != 0)
    return LAC_EQUATION_REFUSE(equation, key ? key : value, error,
                               "what is cut out is disc: [x, y, radius] or polygon: [[x, y], ...]");
  if (!lac_equation_read_numbers(equation, value, key, 3, disc, error))
    return FALSE;
  if (disc[2] <= 0)
    return LAC_EQUATION_REFUSE(equation, key, error, "the radius of a disc is above 0");
  *hole = (LacHole){.centre = {disc[0], disc[1]}, .radius = disc[2]};
  return TRUE;
}
