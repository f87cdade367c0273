/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue on disk: 000000.yaml, 000001.yaml ... A change writes new positions before removing old ones. */
#include "run/library/queue.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define ENDING ".yaml"

struct _LacRunQueue {
  char      *folder;
  GPtrArray *items; /* element type LacQueued */
};

static void
queued_free(gpointer data)
{
  LacQueued *queued = data;

  g_free(queued->path);
  g_free(queued->text);
  g_free(queued->wrong);
  lac_run_plan_free(queued->plan);
  g_free(queued);
}

static LacQueued *
queued_new(const char *path, const char *text)
{
  LacQueued        *queued = g_new0(LacQueued, 1);
  g_autoptr(GError) why = NULL;

  queued->path = g_strdup(path);
  queued->text = g_strdup(text);
  queued->plan = lac_yaml_read_text(text, path, &why);
  if (queued->plan == NULL)
    queued->wrong = g_strdup(why->message);
  return queued;
}

static int
compare_paths(gconstpointer a, gconstpointer b)
{
  const LacQueued *const *left = a, *const *right = b;

  return strcmp((*left)->path, (*right)->path);
}

static void
read_folder(LacRunQueue *queue)
{
  g_autoptr(GDir) dir = g_dir_open(queue->folder, 0, NULL);
  const char     *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(queue->folder, name, NULL);
    g_autofree char *text = NULL;
    if (g_str_has_suffix(name, ENDING) && g_file_get_contents(path, &text, NULL, NULL))
      g_ptr_array_add(queue->items, queued_new(path, text));
  }
  g_ptr_array_sort(queue->items, compare_paths);
}

LacRunQueue *
lac_run_queue_new(const char *folder)
{
  LacRunQueue *queue = g_new0(LacRunQueue, 1);

  queue->folder = folder != NULL ? g_strdup(folder)
                                 : g_build_filename(g_get_user_data_dir(), "lacuna", "queue", NULL);
  queue->items = g_ptr_array_new_with_free_func(queued_free);
  read_folder(queue);
  return queue;
}

void
lac_run_queue_free(LacRunQueue *queue)
{
  if (queue == NULL)
    return;
  g_ptr_array_unref(queue->items);
  g_free(queue->folder);
  g_free(queue);
}

guint
lac_run_queue_get_n(const LacRunQueue *queue)
{
  return queue->items->len;
}

const LacQueued *
lac_run_queue_get(const LacRunQueue *queue, guint i)
{
  g_return_val_if_fail(i < queue->items->len, NULL);
  return g_ptr_array_index(queue->items, i);
}

static gboolean
refuse(const char *path, const char *why, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path, why);
  return FALSE;
}

static char *
dup_path(const LacRunQueue *queue, guint place)
{
  g_autofree char *name = g_strdup_printf("%06u" ENDING, place);

  return g_build_filename(queue->folder, name, NULL);
}

static gboolean
write_text(const char *path, const char *text, GError **error)
{
  g_autoptr(GError) why = NULL;

  return g_file_set_contents(path, text, -1, &why) || refuse(path, why->message, error);
}

/* Rewrites, atomically, every file whose position has changed. After a crash in between one run is duplicated and
 * none is lost. */
static gboolean
write_places(LacRunQueue *queue, GError **error)
{
  if (g_mkdir_with_parents(queue->folder, 0777) != 0)
    return refuse(queue->folder, g_strerror(errno), error);
  for (guint i = queue->items->len; i-- > 0;) {
    LacQueued       *queued = g_ptr_array_index(queue->items, i);
    g_autofree char *path = dup_path(queue, i);
    if (g_str_equal(path, queued->path))
      continue;
    if (!write_text(path, queued->text, error))
      return FALSE;
    g_free(queued->path);
    queued->path = g_steal_pointer(&path);
  }
  return TRUE;
}

/* Removes files beyond the last position. */
static void
remove_rest(LacRunQueue *queue)
{
  g_autoptr(GDir) dir = g_dir_open(queue->folder, 0, NULL);
  const char     *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    guint64          place = 0;
    g_autofree char *digits = g_strndup(name, strcspn(name, "."));
    if (!g_str_has_suffix(name, ENDING) ||
        (g_ascii_string_to_unsigned(digits, 10, 0, G_MAXUINT, &place, NULL) &&
         place < queue->items->len && strlen(digits) == 6))
      continue;
    g_autofree char *path = g_build_filename(queue->folder, name, NULL);
    g_unlink(path);
  }
}

gboolean
lac_run_queue_add(LacRunQueue *queue, const char *text, guint i, GError **error)
{
  LacQueued *queued = queued_new("", text);

  if (queued->plan == NULL) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s", queued->wrong);
    queued_free(queued);
    return FALSE;
  }
  g_ptr_array_insert(queue->items, (int) MIN(i, queue->items->len), queued);
  return write_places(queue, error);
}

gboolean
lac_run_queue_move(LacRunQueue *queue, guint from, guint to, GError **error)
{
  g_return_val_if_fail(from < queue->items->len && to < queue->items->len, FALSE);
  LacQueued       *moved = g_ptr_array_steal_index(queue->items, from);
  g_autofree char *spare = dup_path(queue, queue->items->len + 1);

  /* copied beyond the last position meanwhile, since its own file may be overwritten before the new one is written */
  g_ptr_array_insert(queue->items, (int) to, moved);
  if (!write_text(spare, moved->text, error) || !write_places(queue, error))
    return FALSE;
  g_unlink(spare);
  return TRUE;
}

char *
lac_run_queue_remove(LacRunQueue *queue, guint i)
{
  g_return_val_if_fail(i < queue->items->len, NULL);
  LacQueued *queued = g_ptr_array_steal_index(queue->items, i);
  char      *text = g_steal_pointer(&queued->text);

  queued_free(queued);
  if (write_places(queue, NULL))
    remove_rest(queue);
  return text;
}

char *
lac_run_plan_dup_changes(const LacRunPlan *plan)
{
  const LacParamTable *table = &plan->experiment->params;
  GString             *text = g_string_new(NULL);

  for (gsize i = 0; i < table->n_rows; i++) {
    if (lac_draft_is_default(plan->draft, &table->rows[i]))
      continue;
    g_autofree char *value = lac_draft_dup_text(plan->draft, &table->rows[i]);
    g_autofree char *shown = lac_param_dup_shown(&table->rows[i], value);
    g_string_append_printf(text, "%s%s = %s", text->len > 0 ? ", " : "",
                           g_dgettext(GETTEXT_PACKAGE, table->rows[i].label), shown);
  }
  const char *seed = plan->launch.stated[LAC_LAUNCH_SEED];
  const char *sweep = plan->launch.stated[LAC_LAUNCH_SWEEP];
  if (seed != NULL && !lac_launch_is_usual(&plan->launch, LAC_LAUNCH_SEED))
    g_string_append_printf(text, "%sseed = %s", text->len > 0 ? ", " : "", seed);
  if (sweep != NULL)
    g_string_append_printf(text, "%ssweep %s", text->len > 0 ? ", " : "", sweep);
  return g_string_free(text, FALSE);
}
