/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choice of visible columns: as many as fit, or as set by the user. */
#include "app/toolkit/column-choice.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

typedef enum { AS_FITS, SHOWN, HIDDEN } Wanted;

typedef struct {
  const char          *key;
  GtkColumnViewColumn *column; /* column of the table, which outlives the choice */
  LacColumnRank        rank;
  gboolean             is_withheld;
  Wanted               wanted;
  int                  width; /* of a hidden column, when shown */
} Choosable;

struct _LacColumnChoice {
  GObject              parent_instance;
  GtkScrolledWindow   *scroller; /* borrowed */
  GtkColumnViewColumn *first;
  int                  first_width; /* without the remaining width */
  int     given;   /* width set by fill(); a different width means the user resized the column */
  GArray *columns; /* Choosable */
  GSimpleActionGroup *actions;
  guint               pending;
};

G_DEFINE_FINAL_TYPE(LacColumnChoice, lac_column_choice, G_TYPE_OBJECT)

static Choosable *
get_column(LacColumnChoice *self, guint i)
{
  return &g_array_index(self->columns, Choosable, i);
}

static Wanted
get_wanted(const Choosable *one)
{
  if (one->is_withheld || (one->wanted == AS_FITS && one->rank == LAC_COLUMN_OPTIONAL))
    return HIDDEN;
  return one->wanted;
}

static int
get_width(const Choosable *one)
{
  return gtk_column_view_column_get_visible(one->column)
           ? gtk_column_view_column_get_fixed_width(one->column)
           : one->width;
}

/* A hidden column has no width: GTK 4.8 counts it in that of a row, which right to left is then misplaced. */
static void
show_column(LacColumnChoice *self, Choosable *one, gboolean is_shown)
{
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->actions), one->key);
  if (gtk_column_view_column_get_visible(one->column) != is_shown) {
    one->width = get_width(one);
    gtk_column_view_column_set_visible(one->column, is_shown);
    gtk_column_view_column_set_fixed_width(one->column, is_shown ? one->width : 0);
  }
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(is_shown));
}

/* Gives the remaining width to the first column. GTK 4.8 counts hidden columns too, so no column expands while one is
 * hidden. */
static void
fill(LacColumnChoice *self, int width)
{
  int left = width - self->first_width;
  for (guint i = 0; i < self->columns->len; i++)
    if (gtk_column_view_column_get_visible(get_column(self, i)->column))
      left -= gtk_column_view_column_get_fixed_width(get_column(self, i)->column);
  self->given = self->first_width + MAX(left, 0);
  gtk_column_view_column_set_fixed_width(self->first, self->given);
}

/* Shows the columns the user requested, then the important ones, then the others, while space remains. */
static void
fit(LacColumnChoice *self)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment(self->scroller);
  const int      width = (int) gtk_adjustment_get_page_size(across);
  if (gtk_column_view_column_get_fixed_width(self->first) != self->given)
    self->first_width = gtk_column_view_column_get_fixed_width(self->first);
  int room = width - self->first_width;
  for (guint i = 0; i < self->columns->len; i++)
    if (get_wanted(get_column(self, i)) == SHOWN)
      room -= get_width(get_column(self, i));
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->columns->len; i++) {
      Choosable *one = get_column(self, i);
      if (get_wanted(one) != AS_FITS || (one->rank == LAC_COLUMN_IMPORTANT) != (pass == 0))
        continue;
      room -= get_width(one);
      show_column(self, one, room >= 0);
    }
  for (guint i = 0; i < self->columns->len; i++)
    if (get_wanted(get_column(self, i)) != AS_FITS)
      show_column(self, get_column(self, i), get_wanted(get_column(self, i)) == SHOWN);
  fill(self, width);
}

static gboolean
on_fit(gpointer user_data)
{
  LacColumnChoice *self = user_data;
  self->pending = 0;
  fit(self);
  return G_SOURCE_REMOVE;
}

/* Defers to idle: changing columns during size allocation would queue another allocation. */
static void
fit_soon(LacColumnChoice *self)
{
  if (self->pending == 0 &&
      gtk_adjustment_get_page_size(gtk_scrolled_window_get_hadjustment(self->scroller)) > 0)
    self->pending = g_idle_add(on_fit, self);
}

static void
on_toggled(GSimpleAction *action, GVariant *parameter, LacColumnChoice *self)
{
  g_autoptr(GVariant) state = g_action_get_state(G_ACTION(action));
  const gboolean      is_shown = g_variant_get_boolean(state);
  for (guint i = 0; i < self->columns->len; i++)
    if (g_strcmp0(get_column(self, i)->key, g_action_get_name(G_ACTION(action))) == 0)
      get_column(self, i)->wanted = is_shown ? HIDDEN : SHOWN;
  fit(self);
}

static void
on_as_fits(GSimpleAction *action, GVariant *parameter, LacColumnChoice *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    get_column(self, i)->wanted = AS_FITS;
  fit(self);
}

LacColumnChoice *
lac_column_choice_new(GtkScrolledWindow *scroller, GtkColumnViewColumn *first)
{
  LacColumnChoice         *self = g_object_new(LAC_TYPE_COLUMN_CHOICE, NULL);
  g_autoptr(GSimpleAction) as_fits = g_simple_action_new("as-fits", NULL);
  self->scroller = scroller;
  self->first = first;
  g_signal_connect_object(as_fits, "activate", G_CALLBACK(on_as_fits), self, 0);
  g_action_map_add_action(G_ACTION_MAP(self->actions), G_ACTION(as_fits));
  gtk_widget_insert_action_group(GTK_WIDGET(scroller), "columns", G_ACTION_GROUP(self->actions));
  g_signal_connect_object(gtk_scrolled_window_get_hadjustment(scroller), "notify::page-size",
                          G_CALLBACK(fit_soon), self, G_CONNECT_SWAPPED);
  return self;
}

void
lac_column_choice_add(LacColumnChoice     *self,
                      const char          *key,
                      GtkColumnViewColumn *column,
                      LacColumnRank        rank)
{
  g_return_if_fail(LAC_IS_COLUMN_CHOICE(self));
  Choosable                one = {key, column, rank, FALSE, AS_FITS, 0};
  g_autoptr(GSimpleAction) action =
    g_simple_action_new_stateful(key, NULL, g_variant_new_boolean(TRUE));
  g_signal_connect_object(action, "activate", G_CALLBACK(on_toggled), self, 0);
  g_action_map_add_action(G_ACTION_MAP(self->actions), G_ACTION(action));
  g_array_append_val(self->columns, one);
}

void
lac_column_choice_offer(LacColumnChoice *self, const char *key, gboolean is_offered)
{
  g_return_if_fail(LAC_IS_COLUMN_CHOICE(self) && key != NULL);
  for (guint i = 0; i < self->columns->len; i++) {
    Choosable *one = get_column(self, i);
    if (!g_str_equal(one->key, key) || one->is_withheld == !is_offered)
      continue;
    one->is_withheld = !is_offered;
    g_simple_action_set_enabled(
      G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), key)), is_offered);
    fit_soon(self);
  }
}

static GMenuModel *
make_menu(LacColumnChoice *self)
{
  GMenu           *menu = g_menu_new();
  g_autoptr(GMenu) columns = g_menu_new(), all = g_menu_new();
  for (guint i = 0; i < self->columns->len; i++) {
    const Choosable     *one = get_column(self, i);
    g_autofree char     *action = g_strconcat("columns.", one->key, NULL);
    g_autoptr(GMenuItem) item =
      g_menu_item_new(gtk_column_view_column_get_title(one->column), action);
    g_menu_item_set_attribute(item, "hidden-when", "s", "action-disabled");
    g_menu_append_item(columns, item);
  }
  g_menu_append(all, _("Fit to Width"), "columns.as-fits");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(all));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(columns));
  return G_MENU_MODEL(menu);
}

GtkWidget *
lac_column_choice_make_button(LacColumnChoice *self)
{
  g_return_val_if_fail(LAC_IS_COLUMN_CHOICE(self), NULL);
  GtkWidget            *button = gtk_menu_button_new();
  g_autoptr(GMenuModel) menu = make_menu(self);
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), menu);
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button),
                                GTK_ARROW_LEFT); /* too little room below */
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "view-more-symbolic");
  gtk_widget_set_valign(button, GTK_ALIGN_START);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, _("Table columns"));
  lac_accessible_name(button, _("Table columns"));
  gtk_widget_insert_action_group(button, "columns", G_ACTION_GROUP(self->actions));
  gtk_column_view_column_set_header_menu(self->first, menu);
  for (guint i = 0; i < self->columns->len; i++)
    gtk_column_view_column_set_header_menu(get_column(self, i)->column, menu);
  return button;
}

static void
lac_column_choice_dispose(GObject *object)
{
  LacColumnChoice *self = LAC_COLUMN_CHOICE(object);
  g_clear_handle_id(&self->pending, g_source_remove);
  g_clear_object(&self->actions);
  g_clear_pointer(&self->columns, g_array_unref);
  G_OBJECT_CLASS(lac_column_choice_parent_class)->dispose(object);
}

static void
lac_column_choice_class_init(LacColumnChoiceClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_column_choice_dispose;
}

static void
lac_column_choice_init(LacColumnChoice *self)
{
  self->columns = g_array_new(FALSE, FALSE, sizeof(Choosable));
  self->actions = g_simple_action_group_new();
}
