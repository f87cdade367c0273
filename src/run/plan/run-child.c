/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocol of a child process: settings go as a plan in a temporary file; it prints the folder on a line and, at the
 * end, the result as JSON. */
#include "run/plan/run-child.h"

#include "backend/registry.h"
#include "base/error.h"
#include "run/plan/yaml-write.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <unistd.h>

struct _LacRunChild {
  gint              n_refs; /* atomic */
  GSubprocess      *process;
  GDataInputStream *output;
  char             *plan;   /* (nullable): the temporary file, until the child has read it */
  JsonObject       *result; /* (nullable): set if it came instead of a folder */
};

gboolean
lac_run_wants_child(const LacRunSettings *settings)
{
  const char *backend = settings->backend != NULL ? settings->backend : "auto";

  return lac_device_is_lost() && settings->resume == NULL && settings->again == NULL &&
         (g_str_equal(backend, "auto") || g_str_has_prefix(backend, "cuda")) &&
         lac_experiment_uses_device(settings->experiment, lac_draft_get_values(settings->draft),
                                    NULL);
}

const char *
lac_run_child_get_reason(void)
{
  return _("This process can no longer use the GPU: further GPU runs use separate processes.");
}

LacRunChild *
lac_run_child_ref(LacRunChild *child)
{
  g_atomic_int_inc(&child->n_refs);
  return child;
}

static void
remove_plan(LacRunChild *child)
{
  if (child->plan != NULL)
    g_unlink(child->plan);
  g_clear_pointer(&child->plan, g_free);
}

void
lac_run_child_unref(LacRunChild *child)
{
  if (child == NULL || !g_atomic_int_dec_and_test(&child->n_refs))
    return;
  remove_plan(child);
  g_clear_object(&child->output);
  g_clear_object(&child->process);
  g_clear_pointer(&child->result, json_object_unref);
  g_free(child);
}

/* ---- starting ---- */

/* Returns: (transfer full): the path of a plan file with the settings */
static char *
write_plan(const LacRunSettings *settings,
           const LacLaunch      *launch,
           const char           *model,
           GError              **error)
{
  const LacRunPlan plan = {settings->experiment, (LacDraft *) settings->draft, *launch};
  g_autofree char *text = lac_yaml_write(&plan, model, error);
  g_autofree char *path = NULL;

  if (text == NULL)
    return NULL;
  const int file = g_file_open_tmp("lacuna-XXXXXX.yaml", &path, error);

  if (file < 0)
    return NULL;
  close(file);
  return lac_yaml_save(text, path, error) ? g_steal_pointer(&path) : NULL;
}

static void
add_option(GPtrArray *words, const char *name, const char *value)
{
  g_ptr_array_add(words, g_strconcat("--", name, NULL));
  g_ptr_array_add(words, g_strdup(value));
}

/* Adds the options that cannot be part of a plan. */
static void
add_launch_options(GPtrArray *words, const LacLaunch *launch)
{
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (launch->stated[i] != NULL &&
        !(lac_launch_row((LacLaunchKey) i)->places & LAC_LAUNCH_IN_PLAN))
      add_option(words, lac_launch_get_option((LacLaunchKey) i), launch->stated[i]);
}

static GPtrArray *
make_words(const LacRunSettings *settings,
           const LacLaunch      *launch,
           const char           *plan,
           gboolean              is_quiet)
{
  GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

  g_ptr_array_add(words, g_file_read_link("/proc/self/exe", NULL));
  g_ptr_array_add(words, g_strdup("run"));
  g_ptr_array_add(words, g_strdup(plan));
  if (settings->out != NULL)
    add_option(words, "out", settings->out);
  if (settings->sweep != NULL)
    add_option(words, "part-of", settings->sweep);
  add_launch_options(words, launch);
  g_ptr_array_add(words, g_strdup("--json"));
  g_ptr_array_add(words, g_strdup("--announce"));
  if (settings->cache == NULL)
    g_ptr_array_add(words, g_strdup("--no-cache"));
  if (is_quiet)
    g_ptr_array_add(words, g_strdup("--quiet"));
  g_ptr_array_add(words, NULL);
  return words;
}

LacRunChild *
lac_run_child_new(const LacRunSettings *settings,
                  const char           *model,
                  gboolean              is_quiet,
                  GError              **error)
{
  g_return_val_if_fail(settings->experiment != NULL && settings->draft != NULL, NULL);
  g_autoptr(LacRunChild) child = g_new0(LacRunChild, 1);
  g_autoptr(GPtrArray)   words = NULL;
  g_auto(LacLaunch)      launch = {0};
  GSubprocessFlags       flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE;

  lac_launch_take(&launch, settings, NULL);
  child->n_refs = 1;
  child->plan = write_plan(settings, &launch, model, error);
  if (child->plan == NULL)
    return NULL;
  words = make_words(settings, &launch, child->plan, is_quiet);
  if (is_quiet)
    flags |= G_SUBPROCESS_FLAGS_STDERR_SILENCE;
  child->process = g_subprocess_newv((const char *const *) words->pdata, flags, error);
  if (child->process == NULL)
    return NULL;
  child->output = g_data_input_stream_new(g_subprocess_get_stdout_pipe(child->process));
  return g_steal_pointer(&child);
}

/* ---- what comes back ---- */

static void
refuse(const JsonObject *result, GError **error)
{
  const char *why =
    result == NULL
      ? NULL
      : json_object_get_string_member_with_default((JsonObject *) result, "error", NULL);

  g_set_error_literal(error, LAC_ERROR, LAC_ERROR_FAILED,
                      why != NULL ? why : _("the run's process ended without a result"));
}

/* Returns: (transfer full) (nullable): a line of the child's output; NULL at its end */
static char *
read_line(LacRunChild *child)
{
  return g_data_input_stream_read_line(child->output, NULL, NULL, NULL);
}

static JsonObject *
parse(const char *line)
{
  g_autoptr(JsonNode) node = line != NULL ? json_from_string(line, NULL) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_object_ref(json_node_get_object(node))
                                                      : NULL;
}

char *
lac_run_child_wait_for_folder(LacRunChild *child, GError **error)
{
  g_autofree char *line = read_line(child);

  remove_plan(child);
  if (line != NULL && *line != '{')
    return g_steal_pointer(&line);
  child->result = parse(line);
  refuse(child->result, error);
  return NULL;
}

JsonObject *
lac_run_child_wait(LacRunChild *child, GError **error)
{
  JsonObject *result = g_steal_pointer(&child->result);

  while (result == NULL) {
    g_autofree char *line = read_line(child);

    if (line == NULL)
      break;
    result = parse(line);
  }
  g_subprocess_wait(child->process, NULL, NULL);
  if (result == NULL)
    refuse(NULL, error);
  return result;
}

void
lac_run_child_stop(LacRunChild *child)
{
  g_subprocess_send_signal(child->process, SIGTERM);
}
