/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays out one figure at a time, under the lock of all exports. */
#include "app/output/figure-maker.h"

#include "app/output/exporter.h"

#include <string.h>

struct _LacFigureMaker {
  GHashTable *runs; /* folder: LacRunFile; only used with the lock held */
};

static const struct {
  const char *ending, *type;
} formats[] = {
  {"pdf", "application/pdf"},
  {"svg", "image/svg+xml"},
  {"png", "image/png"},
};

typedef struct {
  LacFigureMaker *maker;
  LacFigureOrder  order;
} Job;

static void
maker_clear(gpointer data)
{
  g_hash_table_unref(((LacFigureMaker *) data)->runs);
}

LacFigureMaker *
lac_figure_maker_new(void)
{
  LacFigureMaker *maker = g_atomic_rc_box_new0(LacFigureMaker);
  maker->runs =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_run_file_unref);
  return maker;
}

LacFigureMaker *
lac_figure_maker_ref(LacFigureMaker *maker)
{
  return g_atomic_rc_box_acquire(maker);
}

void
lac_figure_maker_unref(LacFigureMaker *maker)
{
  g_atomic_rc_box_release_full(maker, maker_clear);
}

void
lac_figure_proof_free(LacFigureProof *proof)
{
  lac_figure_free(proof->figure);
  lac_drawing_free(proof->seen);
  lac_run_file_unref(proof->run);
  g_free(proof);
}

void
lac_figure_order_clear(LacFigureOrder *order)
{
  g_strfreev(order->folders);
  lac_figure_spec_clear(&order->spec);
  g_free(order->path);
  g_clear_object(&order->keeps);
  memset(order, 0, sizeof *order);
}

void
lac_figure_request_free(gpointer request)
{
  Job *job = request;
  lac_figure_order_clear(&job->order);
  lac_figure_maker_unref(job->maker);
  g_free(job);
}

LacRunFile *
lac_figure_maker_get_run(LacFigureMaker *maker, const char *folder, GError **error)
{
  LacRunFile *run = g_hash_table_lookup(maker->runs, folder);

  if (run == NULL) {
    run = lac_run_file_open(folder, error);
    if (run != NULL)
      g_hash_table_insert(maker->runs, g_strdup(folder), run);
  }
  return run;
}

static LacFigure *
make(const Job *job, LacRunFile **first, GError **error)
{
  g_autoptr(GPtrArray) runs = g_ptr_array_new();

  for (gsize i = 0; job->order.folders[i] != NULL; i++) {
    LacRunFile *run = lac_figure_maker_get_run(job->maker, job->order.folders[i], error);

    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  *first = runs->pdata[0];
  return lac_figure_new((LacRunFile *const *) runs->pdata, runs->len, &job->order.spec, error);
}

gpointer
lac_figure_prove(gpointer request, GCancellable *cancellable, GError **error)
{
  const Job              *job = request;
  LacRunFile             *run = NULL;
  g_autoptr(GMutexLocker) locker = lac_exporter_lock();

  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  LacFigure *figure = make(job, &run, error);
  if (figure == NULL)
    return NULL;
  LacFigureProof *proof = g_new0(LacFigureProof, 1);
  proof->figure = figure;
  proof->seen = lac_vision_draw(job->order.vision, lac_figure_get_drawing(figure));
  proof->run = lac_run_file_ref(run);
  return proof;
}

/* Returns: (transfer full): NULL with an error. */
static GdkContentProvider *
wrap(const Job *job, const LacFigure *figure, GError **error)
{
  GdkContentProvider *parts[G_N_ELEMENTS(formats) + 1];
  gsize               n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_autofree char *path = g_strdup_printf("%s.%s", job->order.path, formats[i].ending);
    char            *bytes;
    gsize            length;

    if (!lac_figure_save(figure, path, error) || !g_file_get_contents(path, &bytes, &length, error))
      break;
    if (n == 0) {
      g_autoptr(GFile) file = g_file_new_for_path(path);
      GdkFileList     *list = gdk_file_list_new_from_array(&file, 1);
      parts[n++] = gdk_content_provider_new_typed(GDK_TYPE_FILE_LIST, list);
      g_boxed_free(GDK_TYPE_FILE_LIST, list);
    }
    g_autoptr(GBytes) whole = g_bytes_new_take(bytes, length);
    parts[n++] = gdk_content_provider_new_for_bytes(formats[i].type, whole);
  }
  if (n == G_N_ELEMENTS(parts))
    return gdk_content_provider_new_union(parts, n);
  while (n > 0)
    g_object_unref(parts[--n]);
  return NULL;
}

gpointer
lac_figure_wrap(gpointer request, GCancellable *cancellable, GError **error)
{
  const Job              *job = request;
  LacRunFile             *run = NULL;
  g_autoptr(GMutexLocker) locker = lac_exporter_lock();

  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  g_autoptr(LacFigure) figure = make(job, &run, error);
  return figure != NULL ? wrap(job, figure, error) : NULL;
}

gpointer
lac_figure_maker_new_request(LacFigureMaker *maker, LacFigureOrder *order)
{
  Job *job = g_new0(Job, 1);
  job->maker = lac_figure_maker_ref(maker);
  job->order = *order;
  memset(order, 0, sizeof *order);
  return job;
}
