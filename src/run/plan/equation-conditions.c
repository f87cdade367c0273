/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds on a part of the boundary or at the beginning. */
#include "base/number.h"
#include "run/plan/equation-private.h"

#include <string.h>

static gboolean
read_rim(LacEquation *equation, struct fy_node *node, LacConditionText *condition, GError **error)
{
  g_autofree char *text = lac_yaml_dup_scalar(node);
  const gsize      n = equation->text.n_holes;
  gint64           which = 0;

  condition->is_rim = TRUE;
  condition->n_holes = n;
  if (n > 0 && g_strcmp0(text, "all") == 0)
    return TRUE;
  condition->n_holes = 1;
  if (!text || !lac_number_parse_whole(text, &which) || which < 1 || which > (gint64) n)
    return LAC_EQUATION_REFUSE(
      equation, node, error,
      "hole is all or its number in the list of what is cut out, 1 to %" G_GSIZE_FORMAT, n);
  condition->first_hole = (gsize) which - 1;
  return TRUE;
}

/* {t: 0}, {x: 1}, {hole: 2} */
static gboolean
read_place(LacEquation      *equation,
           struct fy_node   *near,
           struct fy_node   *node,
           LacConditionText *condition,
           GError          **error)
{
  void                *at = NULL;
  struct fy_node_pair *pair =
    node && fy_node_is_mapping(node) ? fy_node_mapping_iterate(node, &at) : NULL;
  const char     *name = pair ? lac_equation_keep(equation, fy_node_pair_key(pair)) : NULL;
  struct fy_node *value = pair ? fy_node_pair_value(pair) : NULL;

  if (!name || fy_node_mapping_item_count(node) != 1)
    return LAC_EQUATION_REFUSE(equation, near, error,
                               "a condition needs one place, as in at: {x: 0}");
  if (strcmp(name, "hole") == 0)
    return read_rim(equation, value, condition, error);
  if (!lac_equation_find_name(equation, fy_node_pair_key(pair), equation->axes,
                              equation->text.pde.symbols.n_axes, &condition->axis, error) ||
      !lac_equation_read_number(equation, value, &condition->at, error))
    return FALSE;
  if (condition->at >= equation->text.lower[condition->axis] &&
      condition->at <= equation->text.upper[condition->axis])
    return TRUE;
  return LAC_EQUATION_REFUSE(equation, value, error, "%s = %g is outside of the domain, %g to %g",
                             name, condition->at, equation->text.lower[condition->axis],
                             equation->text.upper[condition->axis]);
}

gboolean
lac_equation_read_condition(LacEquation    *equation,
                            guint           i,
                            struct fy_node *key,
                            struct fy_node *value,
                            GError        **error)
{
  LacConditionText *condition = &equation->text.conditions[i];
  void             *at = NULL;
  gboolean          has_values = FALSE, has_place = FALSE;
  guint             field = 0;

  equation->text.n_conditions = i + 1;
  condition->name = g_string_chunk_insert_const(equation->strings, "condition");
  if (key || !fy_node_is_mapping(value))
    return LAC_EQUATION_REFUSE(equation, key ? key : value, error,
                               "conditions are a list of tables like {at: {x: 0}, u: 1}");
  for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(value, &at)) != NULL;) {
    struct fy_node *name_node = fy_node_pair_key(pair), *node = fy_node_pair_value(pair);
    const char     *name = lac_equation_keep(equation, name_node);

    if (g_strcmp0(name, "at") == 0) {
      has_place = TRUE;
      if (!read_place(equation, name_node, node, condition, error))
        return FALSE;
    } else if (g_strcmp0(name, "name") == 0) {
      condition->name = lac_equation_keep(equation, node);
      if (!condition->name)
        return LAC_EQUATION_REFUSE(equation, name_node, error, "a name is needed here");
    } else {
      has_values = TRUE;
      key = name_node;
      if (!lac_equation_find_name(equation, name_node, equation->fields,
                                  equation->text.pde.symbols.n_fields, &field, error) ||
          !lac_equation_take_expression(equation, node, FALSE, &condition->values[field], error))
        return FALSE;
    }
  }
  return (has_place && has_values) ||
         LAC_EQUATION_REFUSE(equation, key, error,
                             "condition %u needs a place (at) and the value of a field", i + 1);
}
