/* SPDX-License-Identifier: GPL-3.0-or-later */
/* YAML documents by libfyaml. */
#include "run/plan/yaml-node.h"

#include <string.h>

gboolean
lac_yaml_refuse(const LacYamlPlace *place, LacError code, GError **error, const char *format, ...)
{
  struct fy_token      *token = place->node ? fy_node_get_scalar_token(place->node) : NULL;
  const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
  va_list               arguments;

  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  if (mark != NULL)
    g_set_error(error, LAC_ERROR, (int) code, "%s:%d:%d: %s", place->path, mark->line + 1,
                mark->column + 1 + place->shift, text);
  else
    g_set_error(error, LAC_ERROR, (int) code, "%s: %s", place->path, text);
  return FALSE;
}

char *
lac_yaml_dup_scalar(struct fy_node *node)
{
  size_t      length;
  const char *text = node != NULL ? fy_node_get_scalar(node, &length) : NULL;

  return text != NULL ? g_strndup(text, length) : NULL;
}

gboolean
lac_yaml_is_on_a_line(struct fy_node *node, int *first)
{
  struct fy_token      *token = fy_node_get_scalar_token(node);
  const struct fy_mark *start = token != NULL ? fy_token_start_mark(token) : NULL;
  const struct fy_mark *end = token != NULL ? fy_token_end_mark(token) : NULL;
  const char           *text;
  size_t                length;

  *first = 0;
  if (start == NULL || end == NULL || start->line != end->line)
    return FALSE;
  text = fy_node_get_scalar(node, &length);
  if (fy_node_get_style(node) != FYNS_PLAIN)
    *first = end->column - start->column > (int) length ? 1 : 0;
  return text != NULL;
}

/* Discards libfyaml's own output: its errors are collected into one message. */
static void
print_nothing(struct fy_diag *diag, void *user_data, const char *text, size_t length)
{
}

/* Sets the error of libfyaml for invalid YAML, with its position. */
static void
set_syntax_error(struct fy_diag *diag, const char *path, GError **error)
{
  void                 *at = NULL;
  struct fy_diag_error *problem = fy_diag_errors_iterate(diag, &at);

  if (problem != NULL)
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s:%d:%d: %s", path, problem->line,
                problem->column, problem->msg);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s is empty or not YAML", path);
}

gboolean
lac_yaml_visit_text(const char   *text,
                    const char   *path,
                    LacYamlReader read,
                    gpointer      data,
                    GError      **error)
{
  struct fy_diag_cfg diag_settings;
  gboolean           done = FALSE;

  fy_diag_cfg_default(&diag_settings);
  diag_settings.fp = NULL;
  diag_settings.output_fn = print_nothing;
  struct fy_diag *diag = fy_diag_create(&diag_settings);
  fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg settings = {.flags = FYPCF_DEFAULT_PARSE, .diag = diag};
  struct fy_document *document = fy_document_build_from_string(&settings, text, strlen(text));

  if (document == NULL)
    set_syntax_error(diag, path, error);
  else
    done = read(fy_document_root(document), data, error);
  fy_document_destroy(document);
  fy_diag_destroy(diag);
  return done;
}

gboolean
lac_yaml_visit(const char *path, LacYamlReader read, gpointer data, GError **error)
{
  g_autofree char  *text = NULL;
  g_autoptr(GError) why = NULL;

  if (!g_file_get_contents(path, &text, NULL, &why)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return FALSE;
  }
  return lac_yaml_visit_text(text, path, read, data, error);
}
