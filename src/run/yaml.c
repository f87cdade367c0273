/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run described by a YAML file, read with libfyaml. */
#include "run/yaml.h"

#include "base/error.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  LacRunPlan *plan;
} Reading;

/* A sentence with the place of @node. Returns: FALSE. */
static gboolean G_GNUC_PRINTF(5, 6) set_at(const Reading  *reading,
                                           struct fy_node *node,
                                           GError        **error,
                                           LacError        code,
                                           const char     *format,
                                           ...)
{
  struct fy_token      *token = node != NULL ? fy_node_get_scalar_token(node) : NULL;
  const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
  va_list               arguments;

  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  if (mark != NULL)
    g_set_error(error, LAC_ERROR, code, "%s:%d:%d: %s", reading->path, mark->line + 1,
                mark->column + 1, text);
  else
    g_set_error(error, LAC_ERROR, code, "%s: %s", reading->path, text);
  return FALSE;
}

/* Returns: (transfer full) (nullable): the text of a plain value. */
static char *
dup_scalar(struct fy_node *node)
{
  size_t      length;
  const char *text = node != NULL ? fy_node_get_scalar(node, &length) : NULL;

  return text != NULL ? g_strndup(text, length) : NULL;
}

static gboolean
parse_unsigned(const char *text, guint64 max, guint64 *value)
{
  return g_ascii_string_to_unsigned(text, 10, 0, max, value, NULL);
}

static gboolean
read_member(Reading             *reading,
            struct fy_node_pair *pair,
            const char          *key,
            const char          *text,
            GError             **error)
{
  struct fy_node *node = fy_node_pair_value(pair);
  LacRunPlan     *plan = reading->plan;
  guint64         number;
  char           *end;

  if (strcmp(key, "seed") == 0) {
    plan->has_seed = parse_unsigned(text, G_MAXUINT64, &plan->seed);
    return plan->has_seed || set_at(reading, node, error, LAC_ERROR_OUT_OF_RANGE,
                                    "seed = %s is not a whole number from 0 on", text);
  }
  if (strcmp(key, "threads") == 0) {
    if (!parse_unsigned(text, 4096, &number) || number == 0)
      return set_at(reading, node, error, LAC_ERROR_OUT_OF_RANGE,
                    "threads = %s is outside 1 to 4096", text);
    plan->threads = (guint) number;
    return TRUE;
  }
  if (strcmp(key, "time_limit") == 0) {
    plan->time_limit = g_ascii_strtod(text, &end);
    return (*end == '\0' && end != text && plan->time_limit > 0) ||
           set_at(reading, node, error, LAC_ERROR_OUT_OF_RANGE,
                  "time_limit = %s is not a number of seconds above 0", text);
  }
  if (strcmp(key, "backend") == 0 || strcmp(key, "precision") == 0) {
    char **member = key[0] == 'b' ? &plan->backend : &plan->precision;
    g_free(*member);
    *member = g_strdup(text);
    return TRUE;
  }
  return set_at(reading, fy_node_pair_key(pair), error, LAC_ERROR_UNKNOWN_KEY,
                "%s is not known here; known are experiment, settings, seed, backend, precision, "
                "threads, time_limit",
                key);
}

static gboolean
read_setting(Reading *reading, struct fy_node_pair *pair, GError **error)
{
  struct fy_node   *key_node = fy_node_pair_key(pair), *value_node = fy_node_pair_value(pair);
  g_autofree char  *key = dup_scalar(key_node), *text = dup_scalar(value_node);
  g_autoptr(GError) why = NULL;

  if (key == NULL || text == NULL)
    return set_at(reading, key_node, error, LAC_ERROR_USAGE,
                  "a setting is one key and one value, as in \"sensors: 12\"");
  if (lac_draft_set(reading->plan->draft, key, text, &why))
    return TRUE;
  return set_at(reading, why->code == LAC_ERROR_UNKNOWN_KEY ? key_node : value_node, error,
                (LacError) why->code, "%s", why->message);
}

static gboolean
read_settings(Reading *reading, struct fy_node *settings, GError **error)
{
  void                *at = NULL;
  struct fy_node_pair *pair;

  if (settings == NULL)
    return TRUE;
  if (!fy_node_is_mapping(settings))
    return set_at(reading, settings, error, LAC_ERROR_USAGE,
                  "settings is a table of keys and values");
  while ((pair = fy_node_mapping_iterate(settings, &at)) != NULL) {
    if (!read_setting(reading, pair, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_experiment(Reading *reading, struct fy_node *root, GError **error)
{
  struct fy_node   *node = fy_node_mapping_lookup_by_string(root, "experiment", FY_NT);
  g_autofree char  *name = dup_scalar(node);
  g_autoptr(GError) why = NULL;

  if (name == NULL)
    return set_at(reading, NULL, error, LAC_ERROR_USAGE, "a line \"experiment: NAME\" is needed");
  reading->plan->experiment = lac_experiment_find(name, &why);
  if (reading->plan->experiment == NULL)
    return set_at(reading, node, error, (LacError) why->code, "%s", why->message);
  reading->plan->draft = lac_draft_new(&reading->plan->experiment->params);
  return TRUE;
}

static gboolean
read_root(Reading *reading, struct fy_node *root, GError **error)
{
  void                *at = NULL;
  struct fy_node_pair *pair;

  if (root == NULL || !fy_node_is_mapping(root))
    return set_at(reading, NULL, error, LAC_ERROR_USAGE,
                  "a table with experiment and settings is needed");
  if (!read_experiment(reading, root, error))
    return FALSE;
  while ((pair = fy_node_mapping_iterate(root, &at)) != NULL) {
    struct fy_node  *key_node = fy_node_pair_key(pair), *value_node = fy_node_pair_value(pair);
    g_autofree char *key = dup_scalar(key_node), *text = dup_scalar(value_node);

    if (g_strcmp0(key, "experiment") == 0)
      continue;
    if (g_strcmp0(key, "settings") == 0) {
      if (!read_settings(reading, value_node, error))
        return FALSE;
    } else if (key == NULL || text == NULL) {
      return set_at(reading, key_node, error, LAC_ERROR_USAGE,
                    "one key and one value are needed here");
    } else if (!read_member(reading, pair, key, text, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* libfyaml's own printing: its errors are collected and become one sentence. */
static void
print_nothing(struct fy_diag *diag, void *user_data, const char *text, size_t length)
{
}

/* What libfyaml says about a text that is no YAML, with its place. */
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

LacRunPlan *
lac_yaml_read(const char *path, GError **error)
{
  g_autofree char  *text = NULL;
  gsize             length;
  g_autoptr(GError) why = NULL;

  if (!g_file_get_contents(path, &text, &length, &why)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return NULL;
  }
  struct fy_diag_cfg diag_settings;
  fy_diag_cfg_default(&diag_settings);
  diag_settings.fp = NULL;
  diag_settings.output_fn = print_nothing;
  struct fy_diag *diag = fy_diag_create(&diag_settings);
  fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg settings = {.flags = FYPCF_DEFAULT_PARSE, .diag = diag};
  struct fy_document *document = fy_document_build_from_string(&settings, text, length);

  g_autoptr(LacRunPlan) plan = g_new0(LacRunPlan, 1);
  Reading               reading = {path, plan};
  gboolean              done = FALSE;
  if (document == NULL)
    set_syntax_error(diag, path, error);
  else
    done = read_root(&reading, fy_document_root(document), error);
  fy_document_destroy(document);
  fy_diag_destroy(diag);
  return done ? g_steal_pointer(&plan) : NULL;
}

void
lac_run_plan_free(LacRunPlan *plan)
{
  if (plan == NULL)
    return;
  lac_draft_free(plan->draft);
  g_free(plan->backend);
  g_free(plan->precision);
  g_free(plan);
}
