/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups of the form and their rows. */
#include "app/setup/form.h"

#include "app/setup/stack-layout.h"
#include "app/toolkit/accessible.h"
#include "base/clock.h"

#include <glib/gi18n-lib.h>

/* Time per frame for building rows; laying them out takes several times as long. Building all at once would stall. */
#define SLICE_NS   3000000
#define MOST_NAMES 3 /* of the rows in an expander, listed in its subtitle */
#define MOST_SWEPT 6 /* values of a swept row; of more only the first and the last */

struct _LacSetupForm {
  GtkWidget            parent_instance;
  GtkBox              *groups;
  const LacExperiment *experiment; /* (nullable) */
  LacDraft            *draft, *launch;
  LacMethodList       *methods; /* (nullable) */
  GPtrArray           *rows;    /* LacParamRow, borrowed: those built so far, in table order */
  gsize                n_built; /* parameters, the methods included */
  gboolean             read_only;
  guint                making; /* tick that builds some rows in each frame; 0: none */
};

G_DEFINE_FINAL_TYPE(LacSetupForm, lac_setup_form, GTK_TYPE_WIDGET)

enum { CHANGED, EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- groups ---- */

static const char *
group_of(const LacParam *param)
{
  return param->group != NULL ? param->group : "";
}

static GtkWidget *
find_group(LacSetupForm *self, const char *title)
{
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self->groups)); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    if (g_strcmp0(g_object_get_data(G_OBJECT(child), "group"), title) == 0)
      return child;
  GtkWidget *group = adw_preferences_group_new();
  g_object_set_data(G_OBJECT(group), "group", (gpointer) title);
  gtk_box_append(self->groups, group);
  return group;
}

/* Returns the expander that holds the advanced rows of a group. */
static GtkWidget *
find_fold(GtkWidget *group)
{
  GtkWidget *fold = g_object_get_data(G_OBJECT(group), "fold");
  if (fold != NULL)
    return fold;
  fold = adw_expander_row_new();
  adw_expander_row_set_subtitle(ADW_EXPANDER_ROW(fold), "");
  g_object_set_data(G_OBJECT(group), "fold", fold);
  return fold;
}

static gboolean
is_advanced(LacParamRow *row)
{
  return (lac_param_row_get_param(row)->flags & LAC_PARAM_ADVANCED) != 0;
}

/* The visible rows of a group. */
typedef struct {
  guint    n_basic, n_folded;
  gboolean is_changed; /* a folded one */
  GString *names;      /* of the first folded ones */
} Contents;

static void
add_name(Contents *contents, LacParamRow *row)
{
  const char *label = g_dgettext(GETTEXT_PACKAGE, lac_param_row_get_param(row)->label);
  if (contents->n_folded < MOST_NAMES)
    g_string_append_printf(contents->names, "%s%s", contents->n_folded > 0 ? ", " : "", label);
  contents->is_changed |= gtk_widget_has_css_class(GTK_WIDGET(row), "changed");
  contents->n_folded++;
}

static Contents
look_into(LacSetupForm *self, GtkWidget *group)
{
  Contents contents = {.names = g_string_new(NULL)};
  for (guint i = 0; i < self->rows->len; i++) {
    GtkWidget *row = g_ptr_array_index(self->rows, i);
    if (g_object_get_data(G_OBJECT(row), "home") != group || !gtk_widget_get_visible(row))
      continue;
    if (is_advanced(LAC_PARAM_ROW(row)))
      add_name(&contents, LAC_PARAM_ROW(row));
    else
      contents.n_basic++;
  }
  if (contents.n_folded > MOST_NAMES)
    g_string_append_printf(contents.names, " … %u", contents.n_folded);
  return contents;
}

/* A group of advanced rows only is one expander with the group's name; otherwise the group has a heading, and the
 * expander is called Advanced. */
static void
show_group(LacSetupForm *self, GtkWidget *group)
{
  const char *title = g_object_get_data(G_OBJECT(group), "group");
  GtkWidget  *fold = g_object_get_data(G_OBJECT(group), "fold");
  if (title == NULL)
    return; /* the methods */
  Contents         contents = look_into(self, group);
  gboolean         is_headed = contents.n_basic > 0;
  g_autofree char *shown = g_markup_escape_text(g_dgettext(GETTEXT_PACKAGE, title), -1);
  g_autofree char *names = g_markup_escape_text(contents.names->str, -1);
  gboolean         is_methods =
    self->methods != NULL && g_str_equal(title, group_of(lac_method_list_get_param(self->methods)));
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), is_headed ? shown : "");
  gtk_widget_set_visible(group, contents.n_basic + contents.n_folded > 0);
  if (fold != NULL) {
    const char *name = is_headed || is_methods ? _("Advanced") : shown;
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(fold), name);
    adw_expander_row_set_subtitle(ADW_EXPANDER_ROW(fold), names);
    lac_accessible_name(fold, name);
    gtk_widget_set_visible(fold, contents.n_folded > 0);
    (contents.is_changed ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(fold, "changed");
  }
  g_string_free(contents.names, TRUE);
}

static void
show_rows_in_use(LacSetupForm *self)
{
  for (guint i = 0; i < self->rows->len; i++) {
    LacParamRow *row = g_ptr_array_index(self->rows, i);
    gboolean     in_use = lac_param_row_is_in_use(row);
    if (!in_use && lac_param_row_get_error(row) != NULL)
      lac_param_row_refresh(row); /* invalid input is discarded with the row */
    gtk_widget_set_visible(GTK_WIDGET(row), in_use);
  }
  for (GtkWidget *group = gtk_widget_get_first_child(GTK_WIDGET(self->groups)); group != NULL;
       group = gtk_widget_get_next_sibling(group))
    show_group(self, group);
}

/* ---- rows ---- */

static void
on_row_changed(LacParamRow *row, LacSetupForm *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
  g_signal_emit(self, signals[EDITED], 0, lac_param_row_get_param(row)->key,
                lac_param_row_get_text(row));
}

static void
on_methods_changed(LacMethodList *methods, LacSetupForm *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
  g_signal_emit(self, signals[EDITED], 0, lac_method_list_get_param(methods)->key,
                lac_method_list_get_text(methods));
}

/* Returns parameter @i, first those of the experiment, then those of the launch. */
static const LacParam *
nth_param(LacSetupForm *self, gsize i, LacDraft **draft)
{
  const LacParamTable *table = lac_draft_get_table(self->draft);
  *draft = self->draft;
  if (i >= table->n_rows) {
    i -= table->n_rows;
    *draft = self->launch;
    table = lac_draft_get_table(self->launch);
  }
  return i < table->n_rows ? &table->rows[i] : NULL;
}

/* Adds the expander last in its group, independent of the table's order. */
static void
end_group(LacSetupForm *self, GtkWidget *group, const char *title)
{
  GtkWidget      *fold = g_object_get_data(G_OBJECT(group), "fold");
  const LacParam *later;
  LacDraft       *draft;
  for (gsize i = self->n_built; (later = nth_param(self, i, &draft)) != NULL; i++)
    if (g_str_equal(group_of(later), title))
      return;
  if (fold != NULL)
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), fold);
}

static void
add_row(LacSetupForm *self, const LacParam *param, LacDraft *draft)
{
  GtkWidget *row = lac_param_row_new(param, draft);
  GtkWidget *group = find_group(self, group_of(param));
  if (param->flags & LAC_PARAM_ADVANCED)
    adw_expander_row_add_row(ADW_EXPANDER_ROW(find_fold(group)), row);
  else
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
  g_object_set_data(G_OBJECT(row), "home", group);
  gtk_widget_set_sensitive(row, !self->read_only); /* the expanders still open */
  g_signal_connect(row, "changed", G_CALLBACK(on_row_changed), self);
  g_ptr_array_add(self->rows, row);
}

/* Returns: FALSE after the last one. */
static gboolean
make_row(LacSetupForm *self)
{
  LacDraft       *draft;
  const LacParam *param = nth_param(self, self->n_built, &draft);
  if (param == NULL)
    return FALSE;
  self->n_built++;
  if (self->methods == NULL || param != lac_method_list_get_param(self->methods))
    add_row(self, param, draft);
  end_group(self, find_group(self, group_of(param)), group_of(param));
  return TRUE;
}

static gboolean
on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  LacSetupForm *self = LAC_SETUP_FORM(widget);
  gint64        until_ns = lac_clock_ns() + SLICE_NS;
  gboolean      more = gtk_widget_get_mapped(widget);
  if (more && gtk_widget_get_width(widget) == 0)
    return G_SOURCE_CONTINUE; /* the first frame lays out the page around the form */
  while (more && lac_clock_ns() < until_ns)
    more = make_row(self);
  show_rows_in_use(self);
  if (!more)
    self->making = 0;
  if (!more && nth_param(self, self->n_built, &(LacDraft *){NULL}) == NULL)
    g_signal_emit(self, signals[CHANGED], 0); /* notes of the rows built last */
  return more;
}

/* Builds rows only while the form is visible. */
static void
begin_rows(LacSetupForm *self)
{
  if (self->experiment != NULL && self->making == 0 && gtk_widget_get_mapped(GTK_WIDGET(self)))
    self->making = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_tick, NULL, NULL);
}

LacParamRow *
lac_setup_form_find_built_row(LacSetupForm *self, const char *key)
{
  g_return_val_if_fail(LAC_IS_SETUP_FORM(self), NULL);
  for (guint i = 0; i < self->rows->len; i++) {
    LacParamRow *row = g_ptr_array_index(self->rows, i);
    if (g_str_equal(lac_param_row_get_param(row)->key, key))
      return row;
  }
  return NULL;
}

LacParamRow *
lac_setup_form_find_row(LacSetupForm *self, const char *key)
{
  g_return_val_if_fail(LAC_IS_SETUP_FORM(self), NULL);
  gboolean made = FALSE;
  while (self->experiment != NULL && make_row(self))
    made = TRUE;
  if (made)
    show_rows_in_use(self);
  return lac_setup_form_find_built_row(self, key);
}

/* ---- the sweep ---- */

static char *
dup_swept(const LacParam *param, const LacSweep *sweep, gsize k)
{
  g_autoptr(GPtrArray) values = g_ptr_array_new();
  g_autoptr(GString)   text = g_string_new(NULL);
  for (gsize i = 0; i < lac_sweep_get_n(sweep); i++) {
    const char *value = lac_sweep_get_value(sweep, k, i);
    gboolean    is_new = TRUE;
    for (guint j = 0; j < values->len && is_new; j++)
      is_new = !g_str_equal(values->pdata[j], value);
    if (is_new)
      g_ptr_array_add(values, (gpointer) value);
  }
  for (guint i = 0; i < values->len; i++) {
    if (values->len > MOST_SWEPT && i == MOST_SWEPT - 1)
      g_string_append(text, ", …");
    if (values->len > MOST_SWEPT && i >= MOST_SWEPT - 1 && i + 1 < values->len)
      continue;
    g_autofree char *shown = lac_param_dup_shown(param, values->pdata[i]);
    g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", shown);
  }
  /* Translators: values that a parameter takes in a sweep. */
  return g_strdup_printf(_("Sweep: %s"), text->str);
}

void
lac_setup_form_show_sweep(LacSetupForm *self, const LacSweep *sweep)
{
  g_return_if_fail(LAC_IS_SETUP_FORM(self));
  for (guint i = 0; i < self->rows->len; i++) {
    LacParamRow     *row = g_ptr_array_index(self->rows, i);
    g_autofree char *text = NULL;
    for (gsize k = 0; sweep != NULL && k < lac_sweep_get_n_keys(sweep); k++)
      if (g_str_equal(lac_sweep_get_key(sweep, k), lac_param_row_get_param(row)->key))
        text = dup_swept(lac_param_row_get_param(row), sweep, k);
    lac_param_row_set_swept(row, text);
  }
}

/* ---- the object ---- */

static void
clear(LacSetupForm *self)
{
  GtkWidget *child;
  if (self->making != 0)
    gtk_widget_remove_tick_callback(GTK_WIDGET(self), self->making);
  self->making = 0;
  g_ptr_array_set_size(self->rows, 0);
  self->n_built = 0;
  self->methods = NULL;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->groups))) != NULL)
    gtk_box_remove(self->groups, child);
}

static void
lac_setup_form_dispose(GObject *object)
{
  LacSetupForm *self = LAC_SETUP_FORM(object);
  if (self->groups != NULL) {
    clear(self);
    gtk_widget_unparent(GTK_WIDGET(self->groups));
  }
  self->groups = NULL;
  self->experiment = NULL;
  g_clear_pointer(&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_setup_form_parent_class)->dispose(object);
}

static void
lac_setup_form_class_init(LacSetupFormClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_setup_form_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SETUP_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[EDITED] = g_signal_new("edited", LAC_TYPE_SETUP_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
lac_setup_form_init(LacSetupForm *self)
{
  self->rows = g_ptr_array_new();
  self->groups = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 12));
  gtk_widget_set_parent(GTK_WIDGET(self->groups), GTK_WIDGET(self));
  g_signal_connect(self, "map", G_CALLBACK(begin_rows), NULL);
}

void
lac_setup_form_set(LacSetupForm        *self,
                   const LacExperiment *experiment,
                   LacDraft            *draft,
                   LacDraft            *launch)
{
  g_return_if_fail(LAC_IS_SETUP_FORM(self));
  clear(self);
  self->experiment = experiment;
  self->draft = draft;
  self->launch = launch;
  if (experiment == NULL)
    return;
  if (lac_method_list_find_param(&experiment->params) != NULL) {
    self->methods = LAC_METHOD_LIST(lac_method_list_new(experiment, draft));
    lac_method_list_set_read_only(self->methods, self->read_only);
    gtk_box_append(self->groups, GTK_WIDGET(self->methods));
    g_signal_connect(self->methods, "changed", G_CALLBACK(on_methods_changed), self);
    find_group(self, group_of(lac_method_list_get_param(self->methods)));
  }
  if (experiment->planning != NULL) /* the sensors come before the scene */
    find_group(self, group_of(lac_param_find(&experiment->params, experiment->planning->chooser)));
  begin_rows(self);
}

void
lac_setup_form_set_read_only(LacSetupForm *self, gboolean read_only)
{
  g_return_if_fail(LAC_IS_SETUP_FORM(self));
  self->read_only = read_only;
}

gboolean
lac_setup_form_enter(LacSetupForm *self, const char *key, const char *text)
{
  g_return_val_if_fail(LAC_IS_SETUP_FORM(self), FALSE);
  LacParamRow *row = lac_setup_form_find_row(self, key);
  if (row != NULL)
    lac_param_row_enter(row, text);
  else if (self->methods != NULL && g_str_equal(key, lac_method_list_get_param(self->methods)->key))
    lac_method_list_enter(self->methods, text);
  else
    return FALSE;
  return TRUE;
}

const char *
lac_setup_form_get_error(LacSetupForm *self)
{
  g_return_val_if_fail(LAC_IS_SETUP_FORM(self), NULL);
  if (self->methods != NULL && lac_method_list_get_error(self->methods) != NULL)
    return lac_method_list_get_error(self->methods);
  for (guint i = 0; i < self->rows->len; i++) {
    const char *error = lac_param_row_get_error(g_ptr_array_index(self->rows, i));
    if (error != NULL && gtk_widget_get_visible(GTK_WIDGET(g_ptr_array_index(self->rows, i))))
      return error;
  }
  return NULL;
}

void
lac_setup_form_update(LacSetupForm *self, guint threads)
{
  g_return_if_fail(LAC_IS_SETUP_FORM(self));
  if (self->experiment == NULL)
    return;
  show_rows_in_use(self);
  if (self->methods != NULL && lac_setup_form_get_error(self) == NULL)
    lac_method_list_show_times(self->methods, threads);
}

guint
lac_setup_form_count_changed(const LacDraft *draft)
{
  const LacParamTable *table = lac_draft_get_table(draft);
  guint                n = 0;
  for (gsize i = 0; i < table->n_rows; i++)
    n +=
      lac_draft_is_in_use(draft, &table->rows[i]) && !lac_draft_is_default(draft, &table->rows[i]);
  return n;
}
