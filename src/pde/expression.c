/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of parsed expressions to graph nodes or numbers. */
#include "pde/expression-private.h"

#include <math.h>

static double
sigmoid(double x)
{
  return 1 / (1 + exp(-x));
}

const LacExpressionFunction lac_expression_functions[] = {
  {"sin", LAC_SCALAR_SIN, sin},
  {"cos", LAC_SCALAR_COS, cos},
  {"tanh", LAC_SCALAR_TANH, tanh},
  {"exp", LAC_SCALAR_EXP, exp},
  {"log", LAC_SCALAR_LOG, log},
  {"sqrt", LAC_SCALAR_SQRT, sqrt},
  {"sigmoid", LAC_SCALAR_SIGMOID, sigmoid},
};
const guint lac_n_expression_functions = G_N_ELEMENTS(lac_expression_functions);

void
lac_expression_free(LacExpression *expression)
{
  if (!expression)
    return;
  g_array_unref(expression->items);
  g_free(expression);
}

static const LacItem *
item_at(const LacExpression *expression, guint i)
{
  return &g_array_index(expression->items, LacItem, i);
}

guint
lac_expression_get_order(const LacExpression *expression, guint axis)
{
  guint order = 0;

  for (guint i = 0; i < expression->items->len; i++) {
    const LacItem *item = item_at(expression, i);

    if (item->kind == LAC_ITEM_FIELD && item->axis == axis)
      order = MAX(order, item->order);
  }
  return order;
}

static gboolean
has(const LacExpression *expression, LacItemKind kind, guint index)
{
  for (guint i = 0; i < expression->items->len; i++)
    if (item_at(expression, i)->kind == kind && item_at(expression, i)->index == index)
      return TRUE;
  return FALSE;
}

gboolean
lac_expression_has_field(const LacExpression *expression, guint field)
{
  return has(expression, LAC_ITEM_FIELD, field);
}

gboolean
lac_expression_has_coefficient(const LacExpression *expression, guint coefficient)
{
  return has(expression, LAC_ITEM_COEFFICIENT, coefficient);
}

/* ---- numbers ---- */

double
lac_item_compute(const LacItem *item, double a, double b)
{
  switch (item->kind) {
  case LAC_ITEM_ADD: return a + b;
  case LAC_ITEM_SUBTRACT: return a - b;
  case LAC_ITEM_MULTIPLY: return a * b;
  case LAC_ITEM_DIVIDE: return a / b;
  case LAC_ITEM_NEGATE: return -a;
  case LAC_ITEM_POWER: return pow(a, item->power);
  case LAC_ITEM_FUNCTION: return lac_expression_functions[item->index].value(a);
  case LAC_ITEM_NUMBER:
  case LAC_ITEM_AXIS:
  case LAC_ITEM_FIELD:
  case LAC_ITEM_COEFFICIENT: break;
  }
  g_assert_not_reached();
}

double
lac_expression_evaluate(const LacExpression *expression,
                        const double        *x,
                        const double        *coefficients)
{
  const guint        n = expression->items->len;
  g_autofree double *values = g_new(double, n);

  for (guint i = 0; i < n; i++) {
    const LacItem *item = item_at(expression, i);

    switch (item->kind) {
    case LAC_ITEM_NUMBER: values[i] = item->number; break;
    case LAC_ITEM_AXIS: values[i] = x[item->index]; break;
    case LAC_ITEM_COEFFICIENT: values[i] = coefficients[item->index]; break;
    case LAC_ITEM_FIELD: g_return_val_if_reached(NAN);
    case LAC_ITEM_ADD:
    case LAC_ITEM_SUBTRACT:
    case LAC_ITEM_MULTIPLY:
    case LAC_ITEM_DIVIDE:
    case LAC_ITEM_NEGATE:
    case LAC_ITEM_POWER:
    case LAC_ITEM_FUNCTION:
      values[i] = lac_item_compute(item, values[item->a], values[item->b]);
      break;
    }
  }
  return values[n - 1];
}

/* ---- nodes ---- */

/* Value of an item while nodes are built: a number if quantity.node has no graph. */
typedef LacQuantity Value;

static LacNode
power_of(LacNode x, guint power)
{
  LacNode result = LAC_NO_NODE;

  for (; power > 0; power /= 2) {
    if (power & 1)
      result = result.graph ? lac_multiply(result, x) : x;
    if (power > 1)
      x = lac_map(x, LAC_SCALAR_SQUARE);
  }
  return result;
}

static Value
node_value(LacNode node)
{
  return (Value){.node = node};
}

static Value
sum(Value a, Value b)
{
  if (!a.node.graph)
    return node_value(lac_offset(b.node, a.value));
  if (!b.node.graph)
    return node_value(lac_offset(a.node, b.value));
  return node_value(lac_add(a.node, b.node));
}

static Value
difference(Value a, Value b)
{
  if (!a.node.graph)
    return node_value(lac_offset(lac_scale(b.node, -1), a.value));
  if (!b.node.graph)
    return node_value(lac_offset(a.node, -b.value));
  return node_value(lac_subtract(a.node, b.node));
}

static Value
product(Value a, Value b)
{
  return node_value(a.node.graph ? lac_quantity_times(b, a.node) : lac_quantity_times(a, b.node));
}

static Value
quotient(Value a, Value b)
{
  if (!b.node.graph)
    return node_value(lac_scale(a.node, 1 / b.value));
  return node_value(lac_quantity_times(a, lac_map(b.node, LAC_SCALAR_RECIPROCAL)));
}

/* Combines operands of @item, at least one of which is a node. */
static Value
combine(const LacItem *item, Value a, Value b)
{
  LacNode x;

  switch (item->kind) {
  case LAC_ITEM_ADD: return sum(a, b);
  case LAC_ITEM_SUBTRACT: return difference(a, b);
  case LAC_ITEM_MULTIPLY: return product(a, b);
  case LAC_ITEM_DIVIDE: return quotient(a, b);
  case LAC_ITEM_NEGATE: return node_value(lac_scale(a.node, -1));
  case LAC_ITEM_FUNCTION:
    return node_value(lac_map(a.node, lac_expression_functions[item->index].scalar));
  case LAC_ITEM_POWER:
    x = item->power < 0 ? lac_map(a.node, LAC_SCALAR_RECIPROCAL) : a.node;
    return node_value(power_of(x, (guint) ABS(item->power)));
  case LAC_ITEM_NUMBER:
  case LAC_ITEM_AXIS:
  case LAC_ITEM_FIELD:
  case LAC_ITEM_COEFFICIENT: break;
  }
  g_assert_not_reached();
}

static gboolean
has_two_operands(LacItemKind kind)
{
  return kind == LAC_ITEM_ADD || kind == LAC_ITEM_SUBTRACT || kind == LAC_ITEM_MULTIPLY ||
         kind == LAC_ITEM_DIVIDE;
}

static Value
build_item(const LacItem *item, const LacPdeTerms *at, const Value *values)
{
  Value a, b;

  switch (item->kind) {
  case LAC_ITEM_NUMBER: return lac_number(item->number);
  case LAC_ITEM_AXIS: return node_value(lac_columns(at->x, item->index, 1));
  case LAC_ITEM_COEFFICIENT: return at->coefficients[item->index];
  case LAC_ITEM_FIELD:
    return node_value(item->order ? lac_derivative(at->fields[item->index], item->axis, item->order)
                                  : lac_value(at->fields[item->index]));
  case LAC_ITEM_ADD:
  case LAC_ITEM_SUBTRACT:
  case LAC_ITEM_MULTIPLY:
  case LAC_ITEM_DIVIDE:
  case LAC_ITEM_NEGATE:
  case LAC_ITEM_POWER:
  case LAC_ITEM_FUNCTION: break;
  }
  a = values[item->a];
  b = has_two_operands(item->kind) ? values[item->b] : a;
  if (!a.node.graph && !b.node.graph)
    return lac_number(lac_item_compute(item, a.value, b.value));
  return combine(item, a, b);
}

LacNode
lac_expression_build(const LacExpression *expression, const LacPdeTerms *at)
{
  const guint       n = expression->items->len;
  g_autofree Value *values = g_new(Value, n);

  for (guint i = 0; i < n; i++)
    values[i] = build_item(item_at(expression, i), at, values);
  if (values[n - 1].node.graph)
    return values[n - 1].node;
  return lac_offset(lac_scale(lac_columns(at->x, 0, 1), 0), values[n - 1].value);
}

LacNode
lac_expression_build_at(const LacExpression *expression, LacNode x, const double *coefficients)
{
  LacPdeTerms at = {.x = x};

  for (guint i = 0; i < LAC_PDE_MAX_COEFFICIENTS; i++)
    if (lac_expression_has_coefficient(expression, i))
      at.coefficients[i] = lac_number(coefficients[i]);
  return lac_expression_build(expression, &at);
}
