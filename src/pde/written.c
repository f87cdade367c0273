/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of text to equation rows as in the registry. */
#include "pde/written.h"

#include "base/error.h"
#include "pde/expression-private.h"

#include <string.h>

typedef struct {
  LacPde         pde; /* first member: callers hold a pointer to it */
  GStringChunk  *strings;
  LacExpression *residuals[LAC_PDE_MAX_RESIDUALS];
  LacExpression *exact[LAC_PDE_MAX_FIELDS];
} Written;

static void
residuals(const LacPde *pde, const LacPdeTerms *at, LacNode *residuals)
{
  const Written *written = pde->data;

  for (guint r = 0; r < pde->n_residuals; r++)
    residuals[r] = lac_expression_build(written->residuals[r], at);
}

static void
exact(const LacPde *pde, LacNode x, const double *coefficients, LacNode *fields)
{
  const Written *written = pde->data;

  for (guint i = 0; i < pde->n_fields; i++)
    fields[i] = lac_expression_build_at(written->exact[i], x, coefficients);
}

/* ---- checks ---- */

static gboolean G_GNUC_PRINTF(2, 3) set_error(GError **error, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  if (error)
    *error = g_error_new_valist(LAC_ERROR, LAC_ERROR_USAGE, format, arguments);
  va_end(arguments);
  return FALSE;
}

gboolean
lac_expression_check_name(const char *name, GError **error)
{
  const char *c = name;

  while (*c && (g_ascii_isalnum(*c) || *c == '_'))
    c++;
  if (*c != '\0' || !g_ascii_isalpha(*name) || c - name > 40)
    return set_error(
      error,
      "%.40s is not a valid name; a name is a letter followed by at most 39 letters, digits or _",
      name);
  for (guint i = 0; i < lac_n_expression_functions; i++)
    if (strcmp(lac_expression_functions[i].name, name) == 0)
      return set_error(error, "%s is a function; choose another name", name);
  return strcmp(name, "pi") != 0 || set_error(error, "pi is a number; choose another name");
}

static gboolean
check_names(const LacSymbols *symbols, GError **error)
{
  const char *const    *lists[] = {symbols->axes, symbols->fields, symbols->coefficients,
                                   symbols->constants};
  const guint           lengths[] = {symbols->n_axes, symbols->n_fields, symbols->n_coefficients,
                                     symbols->n_constants};
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

  for (guint list = 0; list < G_N_ELEMENTS(lists); list++)
    for (guint i = 0; i < lengths[list]; i++) {
      const char *name = lists[list][i];

      if (!lac_expression_check_name(name, error))
        return FALSE;
      if (!g_hash_table_add(seen, (gpointer) name))
        return set_error(error, "%s is named twice", name);
      if (list == 0 && strlen(name) != 1)
        return set_error(error,
                         "axis %s: an axis has one letter, so that derivatives are written u_%.1s",
                         name, name);
    }
  return TRUE;
}

static gboolean
check_count(guint n, guint least, guint most, const char *what, GError **error)
{
  return (n >= least && n <= most) ||
         set_error(error, "%u %s; %u to %u are possible", n, what, least, most);
}

static gboolean
check_counts(const LacPdeText *text, GError **error)
{
  const LacSymbols *symbols = &text->symbols;

  return check_count(symbols->n_axes, 1, LAC_PDE_MAX_AXES, "axes", error) &&
         check_count(symbols->n_fields, 1, LAC_PDE_MAX_FIELDS, "fields", error) &&
         check_count(symbols->n_coefficients, 0, LAC_PDE_MAX_COEFFICIENTS, "coefficients", error) &&
         check_count(text->n_residuals, 1, LAC_PDE_MAX_RESIDUALS, "residuals", error);
}

/* ---- the row ---- */

static gboolean
parse_residuals(Written *written, const LacPdeText *text, GError **error)
{
  for (guint r = 0; r < text->n_residuals; r++) {
    written->residuals[r] = lac_expression_parse(text->residuals[r], &text->symbols, error);
    if (!written->residuals[r]) {
      g_prefix_error(error, "%s, ", written->pde.residual_names[r]);
      return FALSE;
    }
  }
  for (guint i = 0; i < text->symbols.n_fields; i++) {
    gboolean is_used = FALSE;

    for (guint r = 0; r < text->n_residuals; r++)
      is_used |= lac_expression_has_field(written->residuals[r], i);
    if (!is_used)
      return set_error(error, "field %s is in no residual", text->symbols.fields[i]);
  }
  return TRUE;
}

static gboolean
parse_exact(Written *written, const LacPdeText *text, GError **error)
{
  LacSymbols symbols = text->symbols;
  guint      n_given = 0;

  symbols.n_fields = 0;
  for (guint i = 0; i < text->symbols.n_fields; i++) {
    if (!text->exact[i])
      continue;
    written->exact[i] = lac_expression_parse(text->exact[i], &symbols, error);
    if (!written->exact[i]) {
      g_prefix_error(error, "exact %s, ", text->symbols.fields[i]);
      return FALSE;
    }
    n_given++;
  }
  if (n_given > 0 && n_given < text->symbols.n_fields)
    return set_error(error, "an exact solution gives all %u fields, not only %u",
                     text->symbols.n_fields, n_given);
  if (n_given > 0)
    written->pde.exact = exact;
  return TRUE;
}

static const char *
keep(Written *written, const char *string)
{
  return g_string_chunk_insert_const(written->strings, string);
}

static void
fill_row(Written *written, const LacPdeText *text)
{
  LacPde            *pde = &written->pde;
  const LacSymbols  *symbols = &text->symbols;
  g_autoptr(GString) formula = g_string_new(NULL);

  pde->name = keep(written, text->name);
  pde->n_axes = symbols->n_axes;
  for (guint i = 0; i < symbols->n_axes; i++)
    pde->axes[i] = keep(written, symbols->axes[i]);
  pde->n_fields = symbols->n_fields;
  for (guint i = 0; i < symbols->n_fields; i++)
    pde->fields[i] = keep(written, symbols->fields[i]);
  pde->n_coefficients = symbols->n_coefficients;
  for (guint i = 0; i < symbols->n_coefficients; i++) {
    pde->coefficients[i] = keep(written, symbols->coefficients[i]);
    pde->test_coefficients[i] = text->coefficients[i];
  }
  pde->n_residuals = text->n_residuals;
  for (guint r = 0; r < text->n_residuals; r++) {
    g_autofree char *name = g_strdup_printf("residual %u", r + 1);

    pde->residual_names[r] =
      keep(written, text->residual_names[r] ? text->residual_names[r] : name);
    g_string_append_printf(formula, "%s%s", r ? "; " : "", text->residuals[r]);
    if (!strchr(text->residuals[r], '='))
      g_string_append(formula, " = 0");
  }
  pde->formula = keep(written, formula->str);
  pde->source = "";
  pde->residuals = residuals;
  pde->data = written;
}

LacPde *
lac_pde_from_expressions(const LacPdeText *text, GError **error)
{
  Written          *written;
  g_autoptr(LacPde) pde = NULL;

  if (!check_counts(text, error) || !check_names(&text->symbols, error))
    return NULL;
  written = g_new0(Written, 1);
  written->strings = g_string_chunk_new(1024);
  pde = &written->pde;
  fill_row(written, text);
  if (!parse_residuals(written, text, error) || !parse_exact(written, text, error))
    return NULL;
  for (guint axis = 0; axis < pde->n_axes; axis++) {
    pde->orders[axis] = 1; /* the minimum order of a jet */
    for (guint r = 0; r < pde->n_residuals; r++)
      pde->orders[axis] =
        MAX(pde->orders[axis], lac_expression_get_order(written->residuals[r], axis));
  }
  return g_steal_pointer(&pde);
}

void
lac_pde_free(LacPde *pde)
{
  Written *written = (Written *) pde;

  if (!pde)
    return;
  for (guint r = 0; r < G_N_ELEMENTS(written->residuals); r++)
    lac_expression_free(written->residuals[r]);
  for (guint i = 0; i < G_N_ELEMENTS(written->exact); i++)
    lac_expression_free(written->exact[i]);
  g_string_chunk_free(written->strings);
  g_free(written);
}
