/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, names and expressions of an equation file, and iteration over its tables. */
#include "base/error.h"
#include "base/number.h"
#include "run/plan/equation-private.h"

#include <math.h>
#include <stdio.h>

struct fy_node *
lac_equation_look_up(const LacEquation *equation, const char *key)
{
  return fy_node_mapping_lookup_by_string(equation->root, key, FY_NT);
}

const char *
lac_equation_keep(LacEquation *equation, struct fy_node *node)
{
  g_autofree char *text = lac_yaml_dup_scalar(node);

  return text ? g_string_chunk_insert_const(equation->strings, text) : NULL;
}

gboolean
lac_equation_read_number(LacEquation *equation, struct fy_node *node, double *value, GError **error)
{
  const char              *text = lac_equation_keep(equation, node);
  const LacSymbols         none = {0};
  g_autoptr(LacExpression) expression = NULL;

  if (text && lac_number_parse(text, value))
    return TRUE;
  expression = text ? lac_expression_parse(text, &none, NULL) : NULL;
  if (expression)
    *value = lac_expression_evaluate(expression, NULL, NULL);
  return (expression && isfinite(*value)) ||
         LAC_EQUATION_REFUSE(equation, node, error, "%s is not a number, as 3 or 2*pi",
                             text ? text : "this");
}

gboolean
lac_equation_read_numbers(LacEquation    *equation,
                          struct fy_node *node,
                          struct fy_node *near,
                          int             n,
                          double         *values,
                          GError        **error)
{
  if (!fy_node_is_sequence(node) || fy_node_sequence_item_count(node) != n)
    return LAC_EQUATION_REFUSE(equation, near, error, "%d numbers are needed here, in [ ]", n);
  for (int i = 0; i < n; i++)
    if (!lac_equation_read_number(equation, fy_node_sequence_get_by_index(node, i), &values[i],
                                  error))
      return FALSE;
  return TRUE;
}

gboolean
lac_equation_find_name(LacEquation       *equation,
                       struct fy_node    *node,
                       const char *const *names,
                       guint              n,
                       guint             *found,
                       GError           **error)
{
  const char        *text = lac_equation_keep(equation, node);
  g_autoptr(GString) known = g_string_new(NULL);

  for (guint i = 0; i < n; i++) {
    if (g_strcmp0(names[i], text) == 0) {
      *found = i;
      return TRUE;
    }
    g_string_append_printf(known, "%s%s", i ? ", " : "", names[i]);
  }
  return LAC_EQUATION_REFUSE(equation, node, error, "%s is not known here; known are %s",
                             text ? text : "this", n ? known->str : "none");
}

gboolean
lac_equation_take_name(LacEquation    *equation,
                       struct fy_node *node,
                       const char    **slot,
                       GError        **error)
{
  const char       *name = lac_equation_keep(equation, node);
  g_autoptr(GError) why = NULL;

  if (!name)
    return LAC_EQUATION_REFUSE(equation, node, error, "a name is needed here");
  if (!lac_expression_check_name(name, &why))
    return LAC_EQUATION_REFUSE(equation, node, error, "%s", why->message);
  *slot = name;
  return TRUE;
}

/* ---- expressions ---- */

/* Sets an error about an expression, with its position in the file. */
static gboolean
refuse_expression(LacEquation *equation, struct fy_node *node, const GError *why, GError **error)
{
  int column = 0, length = 0, first;

  if (sscanf(why->message, "column %d: %n", &column, &length) == 1 && length > 0 &&
      lac_yaml_is_on_a_line(node, &first))
    return lac_yaml_refuse(&(LacYamlPlace){equation->path, node, first + column - 1},
                           LAC_ERROR_USAGE, error, "%s", why->message + length);
  return LAC_EQUATION_REFUSE(equation, node, error, "%s", why->message);
}

gboolean
lac_equation_take_expression(LacEquation    *equation,
                             struct fy_node *node,
                             gboolean        has_fields,
                             const char    **slot,
                             GError        **error)
{
  const char              *text = lac_equation_keep(equation, node);
  LacSymbols               symbols = equation->text.pde.symbols;
  g_autoptr(GError)        why = NULL;
  g_autoptr(LacExpression) expression = NULL;

  if (!text)
    return LAC_EQUATION_REFUSE(equation, node, error, "an expression is needed here");
  if (!has_fields)
    symbols.n_fields = 0;
  expression = lac_expression_parse(text, &symbols, &why);
  if (!expression)
    return refuse_expression(equation, node, why, error);
  *slot = text;
  return TRUE;
}

/* ---- tables and lists ---- */

gboolean
lac_equation_read_entries(LacEquation     *equation,
                          const char      *key,
                          gboolean         is_needed,
                          guint            most,
                          LacEquationEntry read,
                          GError         **error)
{
  struct fy_node *node = lac_equation_look_up(equation, key);
  void           *at = NULL;
  guint           i = 0;

  if (!node)
    return !is_needed || LAC_EQUATION_REFUSE(equation, NULL, error, "the equation needs %s", key);
  if (fy_node_is_mapping(node)) {
    for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(node, &at)) != NULL; i++) {
      if (i == most)
        return LAC_EQUATION_REFUSE(equation, fy_node_pair_key(pair), error,
                                   "%s: at most %u are allowed", key, most);
      if (!read(equation, i, fy_node_pair_key(pair), fy_node_pair_value(pair), error))
        return FALSE;
    }
    return TRUE;
  }
  if (!fy_node_is_sequence(node))
    return LAC_EQUATION_REFUSE(equation, node, error, "%s is a table or a list", key);
  for (struct fy_node *item; (item = fy_node_sequence_iterate(node, &at)) != NULL; i++) {
    if (i == most)
      return LAC_EQUATION_REFUSE(equation, item, error, "%s: at most %u are allowed", key, most);
    if (!read(equation, i, NULL, item, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
lac_equation_is_pair(LacEquation    *equation,
                     const char     *table,
                     struct fy_node *key,
                     struct fy_node *value,
                     GError        **error)
{
  return key ||
         LAC_EQUATION_REFUSE(equation, value, error, "%s is a table, as in {NAME: VALUE}", table);
}
