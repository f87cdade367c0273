/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library of runs on the main thread. One scan at a time; a change during a scan schedules another. */
#include "app/session/run-store.h"

#include "app/toolkit/latest-job.h"
#include "run/library/library.h"

#define SETTLE_MS  150    /* a changed folder is scanned once changes have ceased for so long */
#define RUNNING_MS 2000   /* between polls of active runs */
#define MOST_TAKEN 500    /* runs added between two frames */
#define PURGE_S    3600.0 /* runs deleted in an earlier session are removed for good after an hour */

struct _LacRunStore {
  GObject     parent_instance;
  GListStore *items;
  GHashTable *by_name; /* folder name -> LacRunItem, borrowed from the list */
  char       *folder, *problem;
  LacRunLibrary
    *library; /* used by the scanning thread alone during a scan, except for its references */
  GFileMonitor *monitor;
  LacLatestJob *scan;
  gboolean      again, has_read;
  guint         settle, ticker;
};

G_DEFINE_FINAL_TYPE(LacRunStore, lac_run_store, G_TYPE_OBJECT)

enum { CHANGED, FOLDER_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- batches, from the scanning thread ---- */

/* A scan of the runs folder. It holds a reference to the store: taken on its thread, dropped in the main loop. */
typedef struct {
  LacRunStore   *store;
  LacRunLibrary *library;
  GCancellable  *cancellable; /* own cancellable while scanning */
} Scan;

typedef struct {
  LacRunStore  *store;
  GCancellable *scan;
  GPtrArray    *runs, *gone;
  guint         n_taken; /* of the runs */
} Batch;

static void
scan_free(gpointer data)
{
  Scan *scan = data;
  lac_run_library_unref(scan->library);
  g_object_unref(scan->store);
  g_free(scan);
}

static void
batch_free(gpointer data)
{
  Batch *batch = data;
  g_object_unref(batch->store);
  g_object_unref(batch->scan);
  g_ptr_array_unref(batch->runs);
  g_ptr_array_unref(batch->gone);
  g_free(batch);
}

static char *
key_of(const LacRunHeadline *headline)
{
  return g_path_get_basename(headline->path);
}

static void
remove_item(LacRunStore *self, const char *name)
{
  LacRunItem *item = g_hash_table_lookup(self->by_name, name);
  guint       at;
  if (item == NULL)
    return;
  g_hash_table_remove(self->by_name, name);
  if (g_list_store_find(self->items, item, &at))
    g_list_store_remove(self->items, at);
}

/* Updates or adds the next runs of the batch; the new ones in one operation, since the list is sorted after each. */
static void
take_runs(LacRunStore *self, Batch *batch)
{
  g_autoptr(GPtrArray) fresh = g_ptr_array_new_with_free_func(g_object_unref);
  const guint          end = MIN(batch->n_taken + MOST_TAKEN, batch->runs->len);
  for (; batch->n_taken < end; batch->n_taken++) {
    LacRunHeadline  *headline = g_ptr_array_index(batch->runs, batch->n_taken);
    g_autofree char *name = key_of(headline);
    LacRunItem      *item = g_hash_table_lookup(self->by_name, name);
    if (item != NULL) {
      lac_run_item_update(item, headline);
      continue;
    }
    item = lac_run_item_new(headline);
    g_ptr_array_add(fresh, item);
    g_hash_table_insert(self->by_name, g_steal_pointer(&name), item);
  }
  g_list_store_splice(self->items, g_list_model_get_n_items(G_LIST_MODEL(self->items)), 0,
                      fresh->pdata, fresh->len);
}

static gboolean
on_batch(gpointer data)
{
  Batch       *batch = data;
  LacRunStore *self = batch->store;
  if (g_cancellable_is_cancelled(batch->scan))
    return G_SOURCE_REMOVE;
  take_runs(self, batch);
  if (batch->n_taken < batch->runs->len)
    return G_SOURCE_CONTINUE;
  for (guint i = 0; i < batch->gone->len; i++)
    remove_item(self, g_ptr_array_index(batch->gone, i));
  g_signal_emit(self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
on_found(GPtrArray *runs, GPtrArray *gone, gpointer user_data)
{
  const Scan *scan = user_data;
  Batch      *batch = g_new0(Batch, 1);
  batch->store = g_object_ref(scan->store);
  batch->scan = g_object_ref(scan->cancellable);
  batch->runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);
  batch->gone = g_ptr_array_new_with_free_func(g_free);
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add(batch->runs, lac_run_headline_ref(g_ptr_array_index(runs, i)));
  for (guint i = 0; i < gone->len; i++)
    g_ptr_array_add(batch->gone, g_strdup(g_ptr_array_index(gone, i)));
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_batch, batch,
                  batch_free); /* dispatched on the main thread */
}

static gpointer
scan_library(gpointer data, GCancellable *cancellable, GError **error)
{
  Scan *scan = data;
  scan->cancellable = cancellable;
  lac_run_library_scan(scan->library, cancellable, on_found, scan, error);
  lac_run_library_free_space(lac_run_library_get_folder(scan->library), PURGE_S);
  return NULL;
}

/* ---- scans ---- */

static gboolean
is_any_running(LacRunStore *self)
{
  GHashTableIter iter;
  gpointer       item;
  g_hash_table_iter_init(&iter, self->by_name);
  while (g_hash_table_iter_next(&iter, NULL, &item))
    if (g_str_equal(lac_run_item_get(item)->outcome, "running"))
      return TRUE;
  return FALSE;
}

static gboolean
on_running_tick(gpointer user_data)
{
  LacRunStore *self = user_data;
  self->ticker = 0;
  lac_run_store_refresh(self);
  return G_SOURCE_REMOVE;
}

static void start_scan(LacRunStore *self);

static void
on_scanned(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacRunStore *self = owner;
  g_clear_pointer(&self->problem, g_free);
  if (error != NULL)
    self->problem = g_strdup(error->message);
  self->has_read = TRUE;
  if (self->again)
    start_scan(self);
  else if (is_any_running(self) && self->ticker == 0)
    self->ticker = g_timeout_add(RUNNING_MS, on_running_tick, self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
start_scan(LacRunStore *self)
{
  self->again = FALSE;
  Scan *scan = g_new0(Scan, 1);
  scan->store = g_object_ref(self);
  scan->library = lac_run_library_ref(self->library);
  lac_latest_job_start(self->scan, scan);
}

static gboolean
on_settled(gpointer user_data)
{
  LacRunStore *self = user_data;
  self->settle = 0;
  if (lac_latest_job_is_busy(self->scan))
    self->again = TRUE;
  else
    start_scan(self);
  return G_SOURCE_REMOVE;
}

void
lac_run_store_refresh(LacRunStore *self)
{
  g_return_if_fail(LAC_IS_RUN_STORE(self));
  if (self->library != NULL && self->settle == 0)
    self->settle = g_timeout_add(SETTLE_MS, on_settled, self);
}

/* ---- the folder ---- */

/* Abandons the scan of the previous folder, which holds its own reference. */
static void
leave_folder(LacRunStore *self)
{
  lac_latest_job_cancel(self->scan);
  g_clear_handle_id(&self->settle, g_source_remove);
  g_clear_handle_id(&self->ticker, g_source_remove);
  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data(self->monitor, self);
  g_clear_object(&self->monitor);
  g_clear_pointer(&self->library, lac_run_library_unref);
}

void
lac_run_store_set_folder(LacRunStore *self, const char *folder)
{
  g_return_if_fail(LAC_IS_RUN_STORE(self));
  leave_folder(self);
  self->library = lac_run_library_new(folder, NULL);
  g_free(self->folder);
  self->folder = g_strdup(lac_run_library_get_folder(self->library));
  g_hash_table_remove_all(self->by_name);
  g_list_store_remove_all(self->items);
  self->has_read = FALSE;
  g_autoptr(GFile) file = g_file_new_for_path(self->folder);
  self->monitor = g_file_monitor_directory(file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object(self->monitor, "changed", G_CALLBACK(lac_run_store_refresh), self,
                            G_CONNECT_SWAPPED);
  start_scan(self);
  g_signal_emit(self, signals[FOLDER_CHANGED], 0);
}

const char *
lac_run_store_get_folder(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), NULL);
  return self->folder;
}

GListModel *
lac_run_store_get_model(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), NULL);
  return G_LIST_MODEL(self->items);
}

gboolean
lac_run_store_is_reading(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), FALSE);
  return !self->has_read;
}

const char *
lac_run_store_get_problem(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), NULL);
  return self->problem;
}

LacRunItem *
lac_run_store_find(LacRunStore *self, const char *path)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self) && path != NULL, NULL);
  g_autofree char *name = g_path_get_basename(path);
  return g_hash_table_lookup(self->by_name, name);
}

GPtrArray *
lac_run_store_list(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), NULL);
  GPtrArray     *all = g_ptr_array_new();
  GHashTableIter iter;
  gpointer       item;
  g_hash_table_iter_init(&iter, self->by_name);
  while (g_hash_table_iter_next(&iter, NULL, &item))
    g_ptr_array_add(all, (gpointer) lac_run_item_get(item));
  return all;
}

static int
compare_latest(gconstpointer a, gconstpointer b)
{
  LacRunItem *const *left = a, *const *right = b;
  return lac_run_headline_compare(lac_run_item_get(*right), lac_run_item_get(*left),
                                  LAC_RUNS_BY_STARTED);
}

GPtrArray *
lac_run_store_list_interrupted(LacRunStore *self)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(self), NULL);
  GPtrArray     *found = g_ptr_array_new_with_free_func(g_object_unref);
  GHashTableIter iter;
  gpointer       item;
  g_hash_table_iter_init(&iter, self->by_name);
  while (g_hash_table_iter_next(&iter, NULL, &item))
    if (g_str_equal(lac_run_item_get(item)->outcome, "interrupted"))
      g_ptr_array_add(found, g_object_ref(item));
  g_ptr_array_sort(found, compare_latest);
  return found;
}

/* ---- the object ---- */

static void
lac_run_store_finalize(GObject *object)
{
  LacRunStore *self = LAC_RUN_STORE(object);
  leave_folder(self);
  lac_latest_job_free(self->scan);
  g_clear_object(&self->items);
  g_clear_pointer(&self->by_name, g_hash_table_unref);
  g_free(self->folder);
  g_free(self->problem);
  G_OBJECT_CLASS(lac_run_store_parent_class)->finalize(object);
}

static void
lac_run_store_class_init(LacRunStoreClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_run_store_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_RUN_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[FOLDER_CHANGED] = g_signal_new("folder-changed", LAC_TYPE_RUN_STORE, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_run_store_init(LacRunStore *self)
{
  self->items = g_list_store_new(LAC_TYPE_RUN_ITEM);
  self->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->scan = lac_latest_job_new(self, &(LacJobKind){
                                          .work = scan_library,
                                          .show = on_scanned,
                                          .free_request = scan_free,
                                          .priority = G_PRIORITY_LOW, /* after its batches */
                                        });
}

LacRunStore *
lac_run_store_new(void)
{
  return g_object_new(LAC_TYPE_RUN_STORE, NULL);
}
