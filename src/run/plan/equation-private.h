/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared state and helpers of the equation readers. */
#pragma once

#include "experiment/flow/scenes/written.h"
#include "run/plan/equation.h"
#include "run/plan/yaml-node.h"

G_BEGIN_DECLS

/* An equation while it is being read. */
typedef struct {
  const char          *path;
  struct fy_node      *root;
  GStringChunk        *strings;
  GPtrArray           *corners; /* corners of polygons */
  const char          *axes[LAC_PDE_MAX_AXES], *fields[LAC_PDE_MAX_FIELDS];
  const char          *coefficients[LAC_PDE_MAX_COEFFICIENTS];
  LacSceneText         text;
  const LacExperiment *experiment;
} LacEquation;

/* Evaluates to FALSE and sets an error whose message begins with the position of the node @at (nullable). */
#define LAC_EQUATION_REFUSE(equation, at, error, ...) \
  lac_yaml_refuse(&(LacYamlPlace){(equation)->path, at, 0}, LAC_ERROR_USAGE, error, __VA_ARGS__)

/* equation-values.c: all gboolean functions return FALSE with an error message. */

/* Returns: (nullable): the value of @key. */
struct fy_node *lac_equation_look_up(const LacEquation *equation, const char *key);

/* Returns the value's text (nullable), valid as long as the equation. */
const char *lac_equation_keep(LacEquation *equation, struct fy_node *node);

gboolean lac_equation_read_number(LacEquation    *equation,
                                  struct fy_node *node,
                                  double         *value,
                                  GError        **error);

/* Reads a list of @n numbers; @near: position of the error if the list is missing. */
gboolean lac_equation_read_numbers(LacEquation    *equation,
                                   struct fy_node *node,
                                   struct fy_node *near,
                                   int             n,
                                   double         *values,
                                   GError        **error);

/* Looks up the value of @node in @names. @found: (out): its index */
gboolean lac_equation_find_name(LacEquation       *equation,
                                struct fy_node    *node,
                                const char *const *names,
                                guint              n,
                                guint             *found,
                                GError           **error);

/* Reads the name of an axis, field or coefficient into @slot and checks its spelling. */
gboolean lac_equation_take_name(LacEquation    *equation,
                                struct fy_node *node,
                                const char    **slot,
                                GError        **error);

/* @has_fields: TRUE: a residual; FALSE: an expression of axes and coefficients */
gboolean lac_equation_take_expression(LacEquation    *equation,
                                      struct fy_node *node,
                                      gboolean        has_fields,
                                      const char    **slot,
                                      GError        **error);

/* Reads entry @i of a table or a list. @key: NULL for a list */
typedef gboolean (*LacEquationEntry)(LacEquation    *equation,
                                     guint           i,
                                     struct fy_node *key,
                                     struct fy_node *value,
                                     GError        **error);

/* Reads every entry of the table or list at @key, which may be absent unless @is_needed. */
gboolean lac_equation_read_entries(LacEquation     *equation,
                                   const char      *key,
                                   gboolean         is_needed,
                                   guint            most,
                                   LacEquationEntry read,
                                   GError         **error);

/* Checks that an entry has a key, that is, comes from a table and not from a list. */
gboolean lac_equation_is_pair(LacEquation    *equation,
                              const char     *table,
                              struct fy_node *key,
                              struct fy_node *value,
                              GError        **error);

G_END_DECLS
