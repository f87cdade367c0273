/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expression trees, stored as a list of items in evaluation order without duplicates. */
#pragma once

#include "pde/expression.h"

G_BEGIN_DECLS

typedef enum {
  LAC_ITEM_NUMBER,
  LAC_ITEM_AXIS,
  LAC_ITEM_FIELD, /* a field or a derivative of it */
  LAC_ITEM_COEFFICIENT,
  LAC_ITEM_ADD,
  LAC_ITEM_SUBTRACT,
  LAC_ITEM_MULTIPLY,
  LAC_ITEM_DIVIDE,
  LAC_ITEM_NEGATE,
  LAC_ITEM_POWER,
  LAC_ITEM_FUNCTION,
} LacItemKind;

typedef struct {
  LacItemKind kind;
  guint       a, b;  /* operands, as indices of earlier items */
  guint       index; /* index of the axis, field, coefficient or function */
  guint       axis;  /* axis of the derivative of a field */
  guint       order; /* order of that derivative; 0: the field itself */
  int         power; /* -LAC_EXPRESSION_MAX_POWER ... LAC_EXPRESSION_MAX_POWER */
  double      number;
} LacItem;

struct _LacExpression {
  GArray *items; /* array of LacItem; the last one is the root */
};

typedef struct {
  const char *name;
  LacScalar   scalar;
  double (*value)(double x);
} LacExpressionFunction;

extern const LacExpressionFunction lac_expression_functions[];
extern const guint                 lac_n_expression_functions;

/* Returns: the value of an item whose operands have the values @a and @b; only for kinds with operands. */
double lac_item_compute(const LacItem *item, double a, double b);

G_END_DECLS
