/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocol of a child process: settings go as a plan in a temporary file; it prints the folder on a line and, at the
 * end, the result as JSON. Of several processes each has a thread that waits for it. */
#include "run/plan/run-child.h"

#include "backend/registry.h"
#include "base/error.h"
#include "base/pool.h"
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

/* ---- several runs at a time ---- */

#define LOOK_EVERY_US 100000

static gboolean
add_number(GStrvBuilder *names, guint number, GError **error)
{
  const guint      n = lac_device_count();
  g_autofree char *name = g_strdup_printf("cuda:%u", number);

  if (number >= n)
    return lac_refuse(
      error, LAC_ERROR_DEVICE,
      "--devices: GPU %u does not exist or cannot be used; this machine has %u that "
      "can; lacuna devices lists them",
      number, n);
  g_strv_builder_add(names, name);
  return TRUE;
}

static gboolean
add_device(GStrvBuilder *names, const char *word, GError **error)
{
  const char *backend = NULL;
  guint64     number = 0;
  guint       numbered = 0;

  if (g_ascii_string_to_unsigned(word, 10, 0, G_MAXUINT16, &number, NULL))
    return add_number(names, (guint) number, error);
  if (!lac_device_parse_name(word, &backend, &numbered))
    return lac_refuse(
      error, LAC_ERROR_USAGE,
      "--devices: %s is no device; numbers of GPUs (0,1), all, or names such as cpu "
      "(cpu,cpu for two runs at a time)",
      word);
  if (g_str_equal(backend, "cuda"))
    return add_number(names, numbered, error);
  g_strv_builder_add(names, word);
  return TRUE;
}

GStrv
lac_run_devices_parse(const char *text, GError **error)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new();
  g_auto(GStrv)           words = g_strsplit(text, ",", -1);

  if (g_str_equal(text, "all")) {
    const guint n = lac_device_count();

    for (guint i = 0; i < MAX(n, 1); i++)
      if (!add_number(names, i, error))
        return NULL;
  } else
    for (gsize i = 0; words[i] != NULL; i++)
      if (!add_device(names, g_strstrip(words[i]), error))
        return NULL;
  return g_strv_builder_end(names);
}

typedef struct _Children Children;

/* A device with the run that computes on it. */
typedef struct {
  Children    *all;
  const char  *device;
  LacRunChild *child; /* (nullable) */
  GThread     *thread;
} Slot;

struct _Children {
  const LacRunChildren *asked;
  guint                 n_slots;
  GMutex                lock; /* of the members below, and during the caller's functions */
  GCond                 ended;
  guint                 n_begun, n_working; /* runs; threads */
  gboolean              is_stopped;
  GError               *error; /* the first */
};

/* Starts the next run. Returns: its index; -1 if none is left or it could not start. */
static gint
begin_next(Slot *slot)
{
  Children             *all = slot->all;
  const LacRunChildren *asked = all->asked;
  LacRunSettings        settings = {0};
  g_autoptr(LacDraft)   draft = NULL;

  if (all->is_stopped || all->error != NULL || all->n_begun == asked->n_runs)
    return -1;
  draft = asked->prepare(all->n_begun, &settings, asked->user_data, &all->error);
  if (draft == NULL)
    return -1;
  settings.backend = slot->device;
  settings.threads =
    MAX(1, (settings.threads > 0 ? settings.threads : lac_pool_available()) / all->n_slots);
  slot->child = lac_run_child_new(&settings, asked->model, TRUE, &all->error);
  return slot->child != NULL ? (gint) all->n_begun++ : -1;
}

/* Waits for the end of run @i, without the lock. */
static void
finish(Slot *slot, guint i)
{
  Children             *all = slot->all;
  const LacRunChildren *asked = all->asked;
  g_autoptr(GError)     why = NULL;
  g_autofree char      *folder = NULL;
  JsonObject           *result;

  g_mutex_unlock(&all->lock);
  folder = lac_run_child_wait_for_folder(slot->child, &why);
  g_mutex_lock(&all->lock);
  if (folder != NULL && asked->began != NULL)
    asked->began(i, folder, asked->user_data);
  g_mutex_unlock(&all->lock);
  result = lac_run_child_wait(slot->child, why == NULL ? &why : NULL);
  g_mutex_lock(&all->lock);
  g_clear_pointer(&slot->child, lac_run_child_unref);
  if (why == NULL) {
    asked->ended(i, slot->device, result, asked->user_data);
    return;
  }
  g_clear_pointer(&result, json_object_unref);
  if (all->error == NULL)
    all->error = g_steal_pointer(&why);
}

static gpointer
work(gpointer data)
{
  Slot     *slot = data;
  Children *all = slot->all;
  gint      i;

  g_mutex_lock(&all->lock);
  while ((i = begin_next(slot)) >= 0)
    finish(slot, (guint) i);
  all->n_working--;
  g_cond_signal(&all->ended);
  g_mutex_unlock(&all->lock);
  return NULL;
}

/* Waits until no run is left. Stops those in progress, once, when the caller asks for it or one could not start. */
static void
watch(Children *all, Slot *slots)
{
  gboolean are_stopped = FALSE;

  g_mutex_lock(&all->lock);
  while (all->n_working > 0) {
    g_cond_wait_until(&all->ended, &all->lock, g_get_monotonic_time() + LOOK_EVERY_US);
    all->is_stopped = all->is_stopped || all->asked->is_stopped(all->asked->user_data);
    if (are_stopped || (!all->is_stopped && all->error == NULL))
      continue;
    are_stopped = TRUE;
    for (guint k = 0; k < all->n_slots; k++)
      if (slots[k].child != NULL)
        lac_run_child_stop(slots[k].child);
  }
  g_mutex_unlock(&all->lock);
}

gboolean
lac_run_children(const LacRunChildren *asked, GError **error)
{
  Children         all = {.asked = asked};
  g_autofree Slot *slots = NULL;

  all.n_slots = all.n_working = g_strv_length((GStrv) asked->devices);
  slots = g_new0(Slot, all.n_slots);
  g_mutex_init(&all.lock);
  g_cond_init(&all.ended);
  for (guint k = 0; k < all.n_slots; k++)
    slots[k] = (Slot){.all = &all, .device = asked->devices[k]};
  for (guint k = 0; k < all.n_slots; k++)
    slots[k].thread = g_thread_new("run apart", work, &slots[k]);
  watch(&all, slots);
  for (guint k = 0; k < all.n_slots; k++)
    g_thread_join(slots[k].thread);
  g_cond_clear(&all.ended);
  g_mutex_clear(&all.lock);
  if (all.error == NULL)
    return TRUE;
  g_propagate_error(error, all.error);
  return FALSE;
}
