/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of changes; hidden while there is none. */
#include "app/live/changes.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "run/core/log.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

#define EQUALS " = "

typedef struct {
  gint64 step;
  double seconds;
  char  *key, *label, *before, *text; /* @before: (nullable) */
} Change;

struct _LacLiveChanges {
  GtkWidget   parent_instance;
  GtkWidget  *group;
  GPtrArray  *rows; /* GtkWidget, borrowed */
  LacSession *session;
  GArray     *changes; /* Change */
  GArray     *marks;   /* LacCurveMark */
};

G_DEFINE_FINAL_TYPE(LacLiveChanges, lac_live_changes, GTK_TYPE_WIDGET)

enum { CHANGED, UNDONE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
clear_change(gpointer data)
{
  Change *change = data;
  g_free(change->key);
  g_free(change->label);
  g_free(change->before);
  g_free(change->text);
}

static void
clear_mark(gpointer mark)
{
  g_free(((LacCurveMark *) mark)->text);
}

/* ---- the journal ---- */

static const LacRunSetting *
find_setting(const LacRunFile *file, const char *key)
{
  for (gsize i = 0; i < file->n_settings; i++)
    if (g_str_equal(file->settings[i].key, key))
      return &file->settings[i];
  return NULL;
}

/* Returns: the value that the last change gave a setting; (nullable): the value at the start. */
static const char *
find_before(LacLiveChanges *self, const LacRunSetting *setting, const char *key)
{
  for (guint i = self->changes->len; i-- > 0;) {
    const Change *change = &g_array_index(self->changes, Change, i);
    if (g_str_equal(change->key, key))
      return change->text;
  }
  return setting != NULL ? setting->text : NULL;
}

static void
read_journal(LacLiveChanges *self, const LacRunFile *file)
{
  for (gsize i = 0; i < file->n_events; i++) {
    const LacRunEvent *event = &file->events[i];
    const char        *equals = event->detail != NULL ? strstr(event->detail, EQUALS) : NULL;
    if (!g_str_equal(event->what, LAC_EVENT_SET) || equals == NULL)
      continue;
    g_autofree char     *key = g_strndup(event->detail, (gsize) (equals - event->detail));
    const LacRunSetting *setting = find_setting(file, key);
    const char          *label = setting != NULL ? _(setting->label) : key;
    Change               change = {event->step,
                                   event->seconds,
                                   NULL,
                                   g_strdup(label),
                                   g_strdup(find_before(self, setting, key)),
                                   g_strdup(equals + strlen(EQUALS))};
    change.key = g_steal_pointer(&key);
    g_array_append_val(self->changes, change);
  }
}

/* ---- changes asked for, which the journal has once the present step has ended ---- */

static Change
copy_change(const Change *change)
{
  return (Change){change->step,
                  change->seconds,
                  g_strdup(change->key),
                  g_strdup(change->label),
                  g_strdup(change->before),
                  g_strdup(change->text)};
}

/* Returns: (transfer none): those of a session, which outlive its view. */
static GArray *
find_asked(LacSession *session)
{
  GArray *asked = g_object_get_data(G_OBJECT(session), "asked-changes");

  if (asked == NULL) {
    asked = g_array_new(FALSE, FALSE, sizeof(Change));
    g_array_set_clear_func(asked, clear_change);
    g_object_set_data_full(G_OBJECT(session), "asked-changes", asked,
                           (GDestroyNotify) g_array_unref);
  }
  return asked;
}

/* Returns TRUE when the last @n changes of the journal are the first @n asked for. */
static gboolean
ends_with(const GArray *changes, const GArray *asked, guint n)
{
  for (guint i = 0; i < n; i++) {
    const Change *one = &g_array_index(changes, Change, changes->len - n + i);
    const Change *other = &g_array_index(asked, Change, i);
    if (!g_str_equal(one->key, other->key) || !g_str_equal(one->text, other->text))
      return FALSE;
  }
  return TRUE;
}

static void
add_asked(LacLiveChanges *self)
{
  const GArray *asked = find_asked(self->session);
  guint         n = MIN(asked->len, self->changes->len);
  while (!ends_with(self->changes, asked, n))
    n--;
  for (guint i = n; i < asked->len; i++) {
    const Change copy = copy_change(&g_array_index(asked, Change, i));
    g_array_append_val(self->changes, copy);
  }
}

/* ---- the list ---- */

static void
on_undo(GtkButton *button, LacLiveChanges *self)
{
  guint            index = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "index"));
  const Change    *change = &g_array_index(self->changes, Change, index);
  g_autofree char *key = g_strdup(change->key), *before = g_strdup(change->before);
  g_signal_emit(self, signals[UNDONE], 0, key, before);
}

static char *
dup_words(const Change *change)
{
  return change->before != NULL
           ? g_strdup_printf("%s %s → %s", change->label, change->before, change->text)
           : g_strdup_printf("%s → %s", change->label, change->text);
}

static void
add_undo(LacLiveChanges *self, GtkWidget *row, guint index, const char *words)
{
  GtkWidget       *button = gtk_button_new_from_icon_name("edit-undo-symbolic");
  g_autofree char *name = g_strdup_printf(_("Undo: %s"), words);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, name);
  lac_accessible_name(button, name);
  g_object_set_data(G_OBJECT(button), "index", GUINT_TO_POINTER(index));
  g_signal_connect(button, "clicked", G_CALLBACK(on_undo), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), button);
}

/* A setting can be put back only while the run computes here. */
static gboolean
can_undo(LacLiveChanges *self, const Change *change)
{
  return change->before != NULL && self->session != NULL && lac_session_is_active(self->session) &&
         lac_session_get_run(self->session) != NULL;
}

static void
list(LacLiveChanges *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove(ADW_PREFERENCES_GROUP(self->group), self->rows->pdata[i]);
  g_ptr_array_set_size(self->rows, 0);
  g_array_set_size(self->marks, 0);
  for (guint i = 0; i < self->changes->len; i++) {
    const Change    *change = &g_array_index(self->changes, Change, i);
    GtkWidget       *row = adw_action_row_new();
    LacCurveMark     mark = {change->step, dup_words(change)};
    g_autofree char *time = lac_format_duration(change->seconds);
    g_autofree char *at = g_strdup_printf(_("step %" PRId64 " · %s"), change->step, time);
    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), mark.text);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), at);
    if (can_undo(self, change))
      add_undo(self, row, i, mark.text);
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(self->group), row);
    g_ptr_array_add(self->rows, row);
    g_array_append_val(self->marks, mark);
  }
  gtk_widget_set_visible(GTK_WIDGET(self), self->changes->len > 0);
  g_signal_emit(self, signals[CHANGED], 0);
}

/* Once the run has ended nothing can be put back. */
static void
on_ended(LacLiveChanges *self)
{
  list(self);
}

/* The file has the steps at which the changes took effect; that of a run that computes here is read once it has ended. */
static void
on_file(LacLiveChanges *self)
{
  const LacRunFile *file = lac_session_get_file(self->session);
  if (file == NULL ||
      (lac_session_is_active(self->session) && lac_session_get_run(self->session) != NULL))
    return;
  g_array_set_size(self->changes, 0);
  read_journal(self, file);
  list(self);
}

void
lac_live_changes_set_session(LacLiveChanges *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_LIVE_CHANGES(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  g_array_set_size(self->changes, 0);
  if (session != NULL) {
    /* the file of a run that computes is as old as the last look at its kept frames */
    g_autoptr(LacRunFile) journal =
      lac_session_is_active(session)
        ? lac_run_file_open_journal(lac_session_get_folder(session), NULL)
        : NULL;
    const LacRunFile *file = journal != NULL ? journal : lac_session_get_file(session);
    if (file != NULL)
      read_journal(self, file);
    if (lac_session_is_active(session))
      add_asked(self);
    g_signal_connect_object(session, "ended", G_CALLBACK(on_ended), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "file-changed", G_CALLBACK(on_file), self, G_CONNECT_SWAPPED);
  }
  list(self);
}

void
lac_live_changes_add(LacLiveChanges *self,
                     const char     *key,
                     const char     *label,
                     const char     *before,
                     const char     *text)
{
  g_return_if_fail(LAC_IS_LIVE_CHANGES(self) && self->session != NULL && key != NULL);
  const LacRunStatus *status = lac_session_get_status(self->session);
  Change              change = {status->step,    status->seconds,  g_strdup(key),
                                g_strdup(label), g_strdup(before), g_strdup(text)};
  const Change        copy = copy_change(&change);
  g_array_append_val(self->changes, change);
  g_array_append_val(find_asked(self->session), copy);
  list(self);
}

const LacCurveMark *
lac_live_changes_get_marks(LacLiveChanges *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_LIVE_CHANGES(self) && n != NULL, NULL);
  *n = self->marks->len;
  return (const LacCurveMark *) (gconstpointer) self->marks->data;
}

/* ---- the object ---- */

static void
lac_live_changes_dispose(GObject *object)
{
  LacLiveChanges *self = LAC_LIVE_CHANGES(object);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  g_clear_pointer(&self->group, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_live_changes_parent_class)->dispose(object);
}

static void
lac_live_changes_finalize(GObject *object)
{
  LacLiveChanges *self = LAC_LIVE_CHANGES(object);
  g_ptr_array_unref(self->rows);
  g_array_unref(self->changes);
  g_array_unref(self->marks);
  G_OBJECT_CLASS(lac_live_changes_parent_class)->finalize(object);
}

static void
lac_live_changes_class_init(LacLiveChangesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_live_changes_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_live_changes_finalize;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_LIVE_CHANGES, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[UNDONE] = g_signal_new("undone", LAC_TYPE_LIVE_CHANGES, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
lac_live_changes_init(LacLiveChanges *self)
{
  self->rows = g_ptr_array_new();
  self->changes = g_array_new(FALSE, FALSE, sizeof(Change));
  g_array_set_clear_func(self->changes, clear_change);
  self->marks = g_array_new(FALSE, FALSE, sizeof(LacCurveMark));
  g_array_set_clear_func(self->marks, clear_mark);
  self->group = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(self->group), _("Changes"));
  gtk_widget_set_parent(self->group, GTK_WIDGET(self));
}
