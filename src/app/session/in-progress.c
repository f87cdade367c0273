/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of what is in progress, taken from the workbench whenever it reports a change. */
#include "app/session/in-progress.h"

#include "app/session/words.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_INTERRUPTED 5

/* ---- an item ---- */

struct _LacInProgressItem {
  LacColumnRow      parent_instance;
  LacInProgressKind kind;
  char             *path; /* (nullable) */
  const char       *experiment;
  char             *title, *caption;
  double            fraction;
};

G_DEFINE_FINAL_TYPE(LacInProgressItem, lac_in_progress_item, LAC_TYPE_COLUMN_ROW)

static void
lac_in_progress_item_finalize(GObject *object)
{
  LacInProgressItem *self = LAC_IN_PROGRESS_ITEM(object);
  g_free(self->path);
  g_free(self->title);
  g_free(self->caption);
  G_OBJECT_CLASS(lac_in_progress_item_parent_class)->finalize(object);
}

static void
lac_in_progress_item_class_init(LacInProgressItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_in_progress_item_finalize;
}

static void
lac_in_progress_item_init(LacInProgressItem *self)
{
  self->experiment = "";
  self->fraction = NAN;
}

const char *
lac_in_progress_item_get_experiment(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), "");
  return self->experiment;
}

LacInProgressKind
lac_in_progress_item_get_kind(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), LAC_IN_PROGRESS_RUN);
  return self->kind;
}

const char *
lac_in_progress_item_get_path(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), NULL);
  return self->path;
}

const char *
lac_in_progress_item_get_title(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), NULL);
  return self->title;
}

const char *
lac_in_progress_item_get_caption(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), NULL);
  return self->caption;
}

double
lac_in_progress_item_get_fraction(LacInProgressItem *self)
{
  g_return_val_if_fail(LAC_IS_IN_PROGRESS_ITEM(self), NAN);
  return self->fraction;
}

/* @title, @caption: (transfer full) */
static void
item_set(LacInProgressItem *self, char *title, char *caption, double fraction)
{
  gboolean is_same = g_strcmp0(title, self->title) == 0 && g_strcmp0(caption, self->caption) == 0 &&
                     (fraction == self->fraction || (isnan(fraction) && isnan(self->fraction)));
  g_free(self->title);
  g_free(self->caption);
  self->title = title;
  self->caption = caption;
  self->fraction = fraction;
  if (!is_same)
    lac_column_row_updated(LAC_COLUMN_ROW(self));
}

/* ---- the list ---- */

struct _LacInProgress {
  GObject              parent_instance;
  LacWorkbench        *workbench; /* (nullable), weak */
  GPtrArray           *items;
  GPtrArray           *interrupted; /* LacRunItem */
  const LacExperiment *drafted;     /* (nullable) */
  guint                n_changed;
};

static GType
get_item_type(GListModel *model)
{
  return LAC_TYPE_IN_PROGRESS_ITEM;
}

static guint
get_n_items(GListModel *model)
{
  return ((LacInProgress *) model)->items->len;
}

static gpointer
get_item(GListModel *model, guint position)
{
  const LacInProgress *self = (LacInProgress *) model;
  return position < self->items->len ? g_object_ref(self->items->pdata[position]) : NULL;
}

static void
implement_list(GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(LacInProgress,
                              lac_in_progress,
                              G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, implement_list))

/* Adds the row of @kind and @path to @made, as it was if there was one. */
static LacInProgressItem *
add_item(LacInProgress *self, GPtrArray *made, LacInProgressKind kind, const char *path)
{
  LacInProgressItem *item = NULL;
  for (guint i = 0; i < self->items->len && item == NULL; i++) {
    LacInProgressItem *old = self->items->pdata[i];
    if (old->kind == kind && g_strcmp0(old->path, path) == 0)
      item = g_object_ref(old);
  }
  if (item == NULL) {
    item = g_object_new(LAC_TYPE_IN_PROGRESS_ITEM, NULL);
    item->kind = kind;
    item->path = g_strdup(path);
  }
  g_ptr_array_add(made, item);
  return item;
}

/* ---- its rows ---- */

static char *
describe_progress(LacSession *session)
{
  const LacRunStatus *status = lac_session_get_status(session);
  g_autofree char    *words = lac_session_dup_words(session);
  g_autofree char    *step = lac_format_count((guint64) MAX(status->step, 0));
  g_autofree char    *n_steps = lac_format_count((guint64) MAX(status->n_steps, 0));
  if (status->state != LAC_RUN_RUNNING || lac_session_is_followed(session))
    return g_steal_pointer(&words);
  if (status->n_steps > 0)
    /* the step, the number of steps, and the time left */
    return g_strdup_printf(_("Step %s of %s · %s"), step, n_steps, words);
  return g_strdup_printf(_("Step %s · %s"), step, words);
}

/* Returns the title, with the position in a sweep. */
static char *
entitle(LacInProgress *self, LacSession *session)
{
  LacSweepSeries *series = lac_workbench_get_series(self->workbench);
  if (series == NULL)
    return g_strdup(lac_session_get_title(session));
  /* the title of a run, and its position among the runs of a sweep */
  return g_strdup_printf(_("%s, %zu of %zu"), lac_session_get_title(session),
                         lac_sweep_series_get_n_done(series) + 1,
                         lac_sweep_get_n(lac_sweep_series_get_sweep(series)));
}

static void
add_run(LacInProgress *self, GPtrArray *made)
{
  LacSession *session = lac_workbench_get_active_session(self->workbench);
  if (session != NULL) {
    LacInProgressItem *item =
      add_item(self, made, LAC_IN_PROGRESS_RUN, lac_session_get_folder(session));
    item->experiment = g_intern_string(lac_session_get_experiment(session));
    item_set(item, entitle(self, session), describe_progress(session),
             lac_session_is_followed(session) ? (double) NAN
                                              : lac_session_get_status(session)->fraction);
  } else if (lac_workbench_is_busy(self->workbench))
    item_set(add_item(self, made, LAC_IN_PROGRESS_RUN, NULL), g_strdup(_("Run")),
             g_strdup(_("preparing")), NAN);
}

static char *
describe_beside(const LacBesideRun *run)
{
  g_autofree char *step = lac_format_count((guint64) MAX(run->step, 0));
  return run->step > 0
           /* the name of a device, cpu or cuda:1, and a step */
           ? g_strdup_printf(_("running on %s · step %s"), run->device, step)
           : g_strdup_printf(_("running on %s"), run->device);
}

static void
add_beside(LacInProgress *self, GPtrArray *made)
{
  for (guint i = 0; i < lac_workbench_get_n_beside(self->workbench); i++) {
    const LacBesideRun *run = lac_workbench_get_beside(self->workbench, i);
    LacInProgressItem  *item = add_item(self, made, LAC_IN_PROGRESS_BESIDE, run->folder);
    item->experiment = run->experiment->name;
    item_set(item, g_strdup(run->title), describe_beside(run), NAN);
  }
}

static void
add_draft(LacInProgress *self, GPtrArray *made)
{
  if (self->drafted == NULL)
    return;
  char *caption =
    self->n_changed == 0
      ? g_strdup(_("default settings"))
      : g_strdup_printf(ngettext("%u setting changed", "%u settings changed", self->n_changed),
                        self->n_changed);
  item_set(add_item(self, made, LAC_IN_PROGRESS_DRAFT, NULL),
           g_strdup(g_dgettext(GETTEXT_PACKAGE, self->drafted->title)), caption, NAN);
}

static void
add_queue(LacInProgress *self, GPtrArray *made)
{
  const guint n = lac_workbench_get_n_queued(self->workbench);
  if (n == 0)
    return;
  char *caption = lac_workbench_queue_goes(self->workbench)
                    ? g_strdup_printf(ngettext("%u run", "%u runs", n), n)
                    : g_strdup_printf(ngettext("%u run, paused", "%u runs, paused", n), n);
  item_set(add_item(self, made, LAC_IN_PROGRESS_QUEUE, NULL), g_strdup(_("Queue")), caption, NAN);
}

/* A run that is being resumed is no longer interrupted, before the list of runs says so. */
static void
add_interrupted(LacInProgress *self, GPtrArray *made)
{
  LacSession *active = lac_workbench_get_active_session(self->workbench);
  const char *folder = active != NULL ? lac_session_get_folder(active) : NULL;
  for (guint i = 0, n = 0; i < self->interrupted->len && n < MOST_INTERRUPTED; i++) {
    const LacRunHeadline *run = lac_run_item_get(self->interrupted->pdata[i]);
    if (g_strcmp0(run->path, folder) == 0)
      continue;
    n++;
    item_set(add_item(self, made, LAC_IN_PROGRESS_INTERRUPTED, run->path),
             g_strdup(g_dgettext(GETTEXT_PACKAGE, run->title)), lac_run_item_dup_caption(run), NAN);
  }
}

static void
update(LacInProgress *self)
{
  g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(g_object_unref);
  if (self->workbench != NULL && lac_workbench_get_queue(self->workbench) != NULL) {
    add_run(self, made);
    add_beside(self, made);
    add_draft(self, made);
    add_queue(self, made);
    add_interrupted(self, made);
  }
  g_autoptr(GPtrArray) before = self->items;
  guint                first = 0;
  while (first < MIN(before->len, made->len) && before->pdata[first] == made->pdata[first])
    first++;
  self->items = g_ptr_array_ref(made);
  if (first < before->len || first < made->len)
    g_list_model_items_changed(G_LIST_MODEL(self), first, before->len - first, made->len - first);
}

static void
on_runs(LacInProgress *self)
{
  if (self->workbench == NULL)
    return;
  g_ptr_array_unref(self->interrupted);
  self->interrupted = lac_run_store_list_interrupted(lac_workbench_get_run_store(self->workbench));
  update(self);
}

void
lac_in_progress_set_draft(LacInProgress *self, const LacExperiment *experiment, guint n_changed)
{
  g_return_if_fail(LAC_IS_IN_PROGRESS(self));
  self->drafted = experiment;
  self->n_changed = n_changed;
  update(self);
}

/* ---- the object ---- */

static void
lac_in_progress_finalize(GObject *object)
{
  LacInProgress *self = LAC_IN_PROGRESS(object);
  g_clear_weak_pointer(&self->workbench);
  g_ptr_array_unref(self->items);
  g_ptr_array_unref(self->interrupted);
  G_OBJECT_CLASS(lac_in_progress_parent_class)->finalize(object);
}

static void
lac_in_progress_class_init(LacInProgressClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_in_progress_finalize;
}

static void
lac_in_progress_init(LacInProgress *self)
{
  self->items = g_ptr_array_new_with_free_func(g_object_unref);
  self->interrupted = g_ptr_array_new_with_free_func(g_object_unref);
}

LacInProgress *
lac_in_progress_new(LacWorkbench *workbench)
{
  g_return_val_if_fail(LAC_IS_WORKBENCH(workbench), NULL);
  static const char *const signals[] = {"changed", "active-progressed", "queue-changed",
                                        "sweep-changed", "beside-progressed"};
  LacInProgress           *self = g_object_new(LAC_TYPE_IN_PROGRESS, NULL);
  g_set_weak_pointer(&self->workbench, workbench);
  for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(workbench, signals[i], G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lac_workbench_get_run_store(workbench), "changed", G_CALLBACK(on_runs),
                          self, G_CONNECT_SWAPPED);
  on_runs(self);
  return self;
}
