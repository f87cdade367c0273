/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/setup/column-button.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/tip.h"
#include "base/param.h"
#include "io/format/table-choice.h"
#include "io/input/measurements-arrays.h"
#include "io/input/measurements-table.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define MOST_ROLES 32

enum { N_COORDINATES = 3 }; /* the first roles */

struct _LacColumnButton {
  GtkWidget            parent_instance;
  GtkWidget           *button; /* GtkMenuButton */
  GtkWidget           *list;   /* GtkGrid in its popover */
  const LacParamTable *table;
  GtkEditable         *path;
  GtkWidget           *drops[MOST_ROLES]; /* of the roles, while the popover is built */
  const char          *roles[MOST_ROLES];
  guint                n_roles;
  GStrv                columns; /* (nullable): of the file */
  LacLatestJob        *reading;
};

G_DEFINE_FINAL_TYPE(LacColumnButton, lac_column_button, GTK_TYPE_WIDGET)

static void
add_role(LacColumnButton *self, const char *role)
{
  if (self->n_roles < MOST_ROLES)
    self->roles[self->n_roles++] = role;
}

/* The coordinates, the quantities of the experiment, and the columns of a table with one value per row. */
static void
list_roles(LacColumnButton *self, gboolean are_arrays)
{
  static const char *const coordinates[N_COORDINATES] = {"x", "y", "t"};
  static const char *const values[] = {"quantity", "value", "sigma"};
  const LacParam          *measured = lac_param_find(self->table, "measured");

  self->n_roles = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(coordinates); i++)
    add_role(self, coordinates[i]);
  for (gsize i = 0; measured != NULL && measured->choices[i] != NULL; i++)
    add_role(self, measured->choices[i]);
  for (gsize i = 0; i < G_N_ELEMENTS(values) && !are_arrays; i++)
    add_role(self, values[i]);
}

/* Returns TRUE where a file of arrays is read without a choice: its quantities, until one of them is chosen. */
static gboolean
is_automatic(const LacColumnButton *self, guint role, const char *choice)
{
  for (guint r = 0; r < self->n_roles && role >= N_COORDINATES; r++) {
    g_autofree char *chosen = lac_table_choice_dup_column(choice, self->roles[r]);

    if (chosen != NULL)
      return FALSE;
  }
  return TRUE;
}

/* Writes the choice behind the file's name. */
static void
on_selected(GtkDropDown *drop, GParamSpec *pspec, LacColumnButton *self)
{
  const char        *choice;
  g_autofree char   *file = lac_table_choice_dup_file(gtk_editable_get_text(self->path), &choice);
  g_autoptr(GString) text = g_string_new(file);
  g_autofree char   *points = lac_table_choice_dup_column(choice, "points");
  char               before = '#';

  for (guint r = 0; r < self->n_roles; r++) {
    const guint selected = gtk_drop_down_get_selected(GTK_DROP_DOWN(self->drops[r]));

    if (selected == 0 || selected == GTK_INVALID_LIST_POSITION)
      continue;
    g_string_append_printf(text, "%c%s=%s", before, self->roles[r], self->columns[selected - 1]);
    before = ',';
  }
  if (points != NULL) /* of a file of arrays */
    g_string_append_printf(text, "%cpoints=%s", before, points);
  gtk_editable_set_text(self->path, text->str);
}

/* Returns the position of the column in the list of a role; 0: not in the file. */
static guint
find_column(const LacColumnButton *self, const char *choice, const char *role)
{
  g_autofree char *chosen = lac_table_choice_dup_column(choice, role);
  const char      *name = chosen != NULL ? chosen : choice == NULL ? role : "";

  for (guint i = 0; self->columns[i] != NULL; i++)
    if (g_ascii_strcasecmp(self->columns[i], name) == 0)
      return i + 1;
  return 0;
}

static void
add_row(LacColumnButton *self, guint role, const char *choice, gboolean are_arrays)
{
  const gboolean automatic = are_arrays && is_automatic(self, role, choice);
  const char    *without = automatic ? _("Automatic") : _("Not used");
  GtkStringList *names = gtk_string_list_new((const char *const[]){without, NULL});
  GtkWidget     *label = gtk_label_new(self->roles[role]);
  GtkWidget     *drop;

  for (guint i = 0; self->columns[i] != NULL; i++)
    gtk_string_list_append(names, self->columns[i]);
  drop = self->drops[role] = gtk_drop_down_new(G_LIST_MODEL(names), NULL);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(drop), find_column(self, choice, self->roles[role]));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(drop, TRUE);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), self->roles[role]);
  g_signal_connect(drop, "notify::selected", G_CALLBACK(on_selected), self);
  gtk_grid_attach(GTK_GRID(self->list), label, 0, (int) role, 1, 1);
  gtk_grid_attach(GTK_GRID(self->list), drop, 1, (int) role, 1, 1);
}

static void
clear_list(LacColumnButton *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(self->list)) != NULL)
    gtk_grid_remove(GTK_GRID(self->list), child);
  g_clear_pointer(&self->columns, g_strfreev);
}

static void
add_sentence(LacColumnButton *self, const char *sentence)
{
  GtkWidget *label = gtk_label_new(sentence);

  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_grid_attach(GTK_GRID(self->list), label, 0, 0, 1, 1);
}

/* ---- the names in the file, which may be large and compressed: read in a thread ---- */

typedef struct {
  char    *file;
  gboolean are_arrays;
} Request;

static void
free_request(gpointer request)
{
  g_free(((Request *) request)->file);
  g_free(request);
}

static void
free_columns(gpointer columns)
{
  g_strfreev(columns);
}

static gpointer
read_columns(gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;

  request->are_arrays = lac_measurements_are_arrays(request->file);
  return lac_measurements_dup_columns(request->file, error);
}

/* Moves the focus to the first row, as the popover does when it is shown. */
static void
show_columns(gpointer owner, gpointer data, gpointer columns, const GError *error)
{
  LacColumnButton *self = owner;
  const Request   *request = data;
  const char      *choice;
  g_autofree char *file = lac_table_choice_dup_file(gtk_editable_get_text(self->path), &choice);

  clear_list(self);
  self->columns = columns;
  list_roles(self, request->are_arrays);
  if (error != NULL)
    add_sentence(self, error->message);
  for (guint r = 0; r < self->n_roles && self->columns != NULL; r++)
    add_row(self, r, choice, request->are_arrays);
  if (gtk_widget_get_mapped(self->list))
    gtk_widget_child_focus(self->list, GTK_DIR_TAB_FORWARD);
}

/* Before the popover is shown. */
static void
fill(GtkMenuButton *button, gpointer user_data)
{
  LacColumnButton *self = user_data;
  const char      *choice;
  Request         *request = g_new0(Request, 1);

  request->file = lac_table_choice_dup_file(gtk_editable_get_text(self->path), &choice);
  clear_list(self);
  add_sentence(self, _("Reading the file…"));
  lac_latest_job_start(self->reading, request);
}

/* A table ends with .csv, .txt, .dat or one of these and .gz, a file of arrays with .mat, .h5, .hdf5 or .npz; the file is opened only with the popover. */
static void
on_path_changed(GtkEditable *path, LacColumnButton *self)
{
  static const char *const endings[] = {".csv", ".txt", ".dat",  ".tsv",
                                        ".mat", ".h5",  ".hdf5", ".npz"};
  const char              *choice;
  g_autofree char         *file = lac_table_choice_dup_file(gtk_editable_get_text(path), &choice);
  gboolean                 is_table = FALSE;

  if (g_str_has_suffix(file, ".gz"))
    file[strlen(file) - strlen(".gz")] = '\0';
  for (gsize i = 0; i < G_N_ELEMENTS(endings); i++)
    is_table = is_table || g_str_has_suffix(file, endings[i]);
  gtk_widget_set_visible(GTK_WIDGET(self), is_table);
}

static void
lac_column_button_dispose(GObject *object)
{
  LacColumnButton *self = LAC_COLUMN_BUTTON(object);

  g_clear_pointer(&self->reading, lac_latest_job_free);
  g_clear_pointer(&self->button, gtk_widget_unparent);
  g_clear_pointer(&self->columns, g_strfreev);
  G_OBJECT_CLASS(lac_column_button_parent_class)->dispose(object);
}

static void
lac_column_button_class_init(LacColumnButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_column_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_column_button_init(LacColumnButton *self)
{
  static const LacJobKind kind = {.work = read_columns,
                                  .show = show_columns,
                                  .free_request = free_request,
                                  .free_result = free_columns};
  GtkWidget              *popover = gtk_popover_new(), *scroller = gtk_scrolled_window_new();

  self->reading = lac_latest_job_new(self, &kind);
  self->list = gtk_grid_new();
  gtk_grid_set_row_spacing(GTK_GRID(self->list), 6);
  gtk_grid_set_column_spacing(GTK_GRID(self->list), 12);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
  gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scroller), 360);
  gtk_widget_set_size_request(scroller, 300, -1);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), self->list);
  gtk_popover_set_child(GTK_POPOVER(popover), scroller);
  self->button = gtk_menu_button_new();
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(self->button), "view-list-symbolic");
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(self->button), popover);
  gtk_menu_button_set_create_popup_func(GTK_MENU_BUTTON(self->button), fill, self, NULL);
  gtk_widget_set_valign(self->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(self->button, "flat");
  lac_tip_set(self->button, _("Columns of the file"));
  lac_accessible_name(self->button, _("Columns of the file"));
  gtk_widget_set_parent(self->button, GTK_WIDGET(self));
}

GtkWidget *
lac_column_button_new(const LacParamTable *table, GtkEditable *path)
{
  LacColumnButton *self = g_object_new(LAC_TYPE_COLUMN_BUTTON, NULL);

  self->table = table;
  self->path = path;
  g_signal_connect_object(path, "changed", G_CALLBACK(on_path_changed), self, 0);
  on_path_changed(path, self);
  return GTK_WIDGET(self);
}
