/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search entry over a list of rows. The focus stays in the entry: arrows choose, Enter runs, Escape closes. */
#include "app/command-palette.h"

#include "app/accessible.h"
#include "app/commands.h"

#include <glib/gi18n-lib.h>

#define COMMAND "lac-command"

struct _LacCommandPalette {
  AdwWindow       parent_instance;
  GtkSearchEntry *entry;
  GtkListBox     *list;
  GStrv           wanted; /* folded words */
};

G_DEFINE_FINAL_TYPE(LacCommandPalette, lac_command_palette, ADW_TYPE_WINDOW)

static const LacCommand *
command_of(GtkListBoxRow *row)
{
  return g_object_get_data(G_OBJECT(row), COMMAND);
}

static gboolean
is_wanted(GtkListBoxRow *row, gpointer palette)
{
  LacCommandPalette *self = palette;
  const LacCommand  *command = command_of(row);
  g_autofree char   *words = g_strconcat(_(command->title), " ", _(command->group), NULL);
  g_autofree char   *folded = g_utf8_casefold(words, -1);
  for (char **word = self->wanted; word != NULL && *word != NULL; word++)
    if (strstr(folded, *word) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_enabled(GtkWindow *window, const char *action)
{
  GApplication *application = G_APPLICATION(gtk_window_get_application(window));
  if (g_str_has_prefix(action, "app."))
    return application != NULL &&
           g_action_group_get_action_enabled(G_ACTION_GROUP(application), action + 4);
  return g_action_group_get_action_enabled(G_ACTION_GROUP(window), action + strlen("win."));
}

static GtkWidget *
make_label(const char *words, gboolean dim)
{
  GtkWidget *label = gtk_label_new(words);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  if (dim)
    gtk_widget_add_css_class(label, "dim-label");
  return label;
}

static GtkWidget *
make_row(const LacCommand *command, GtkWindow *window)
{
  GtkWidget          *row = gtk_list_box_row_new();
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget          *title = make_label(_(command->title), FALSE);
  g_autofree char    *name = NULL;
  g_autoptr(GVariant) target = NULL;
  g_action_parse_detailed_name(command->action, &name, &target, NULL);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), make_label(_(command->group), TRUE));
  if (*command->accels != '\0') {
    g_auto(GStrv) accels = g_strsplit(command->accels, " ", 2);
    gtk_box_append(GTK_BOX(box), gtk_shortcut_label_new(accels[0]));
  }
  gtk_widget_set_size_request(box, -1, 34);
  gtk_widget_set_margin_start(box, 6);
  gtk_widget_set_margin_end(box, 6);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_widget_set_sensitive(row, is_enabled(window, name));
  lac_accessible_name(row, _(command->title));
  g_object_set_data(G_OBJECT(row), COMMAND, (gpointer) command);
  return row;
}

static gboolean
can_run(GtkListBoxRow *row)
{
  return gtk_widget_get_child_visible(GTK_WIDGET(row)) && gtk_widget_get_sensitive(GTK_WIDGET(row));
}

/* Chooses the row @step rows on from @index that can run; stays where there is none. */
static void
choose(LacCommandPalette *self, int index, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, index);
  while (row != NULL && !can_run(row)) {
    index += step;
    row = index < 0 ? NULL : gtk_list_box_get_row_at_index(self->list, index);
  }
  if (row == NULL)
    return;
  gtk_list_box_select_row(self->list, row);
  /* A list scrolls to what has the focus, which is to stay in the entry. */
  GtkAdjustment  *scroll = gtk_list_box_get_adjustment(self->list);
  graphene_rect_t box;
  if (scroll != NULL && gtk_widget_compute_bounds(GTK_WIDGET(row), GTK_WIDGET(self->list), &box))
    gtk_adjustment_clamp_page(scroll, (double) box.origin.y,
                              (double) (box.origin.y + box.size.height));
}

static gboolean
on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType held, gpointer palette)
{
  LacCommandPalette *self = palette;
  GtkListBoxRow     *row = gtk_list_box_get_selected_row(self->list);
  int                step = key == GDK_KEY_Down ? 1 : key == GDK_KEY_Up ? -1 : 0;
  if (step == 0)
    return GDK_EVENT_PROPAGATE;
  int index = (row == NULL ? -1 : gtk_list_box_row_get_index(row)) + step;
  if (index >= 0)
    choose(self, index, step);
  return GDK_EVENT_STOP;
}

static void
on_row(GtkListBox *list, GtkListBoxRow *row, gpointer palette)
{
  g_autoptr(GtkWindow) window = g_object_ref(gtk_window_get_transient_for(GTK_WINDOW(palette)));
  g_autofree char     *name = NULL;
  g_autoptr(GVariant)  target = NULL;
  g_action_parse_detailed_name(command_of(row)->action, &name, &target, NULL);
  gtk_window_close(GTK_WINDOW(palette));
  gtk_widget_activate_action_variant(GTK_WIDGET(window), name, target);
}

static void
on_enter(GtkSearchEntry *entry, LacCommandPalette *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  if (row != NULL && can_run(row))
    on_row(self->list, row, self);
}

static void
on_search(GtkSearchEntry *entry, LacCommandPalette *self)
{
  lac_command_palette_search(self, gtk_editable_get_text(GTK_EDITABLE(entry)));
}

void
lac_command_palette_search(LacCommandPalette *self, const char *words)
{
  g_return_if_fail(LAC_IS_COMMAND_PALETTE(self) && words != NULL);
  g_autofree char *folded = g_utf8_casefold(words, -1);
  g_strfreev(self->wanted);
  self->wanted = g_strsplit(g_strstrip(folded), " ", -1);
  gtk_list_box_invalidate_filter(self->list);
  gtk_list_box_unselect_all(self->list);
  choose(self, 0, 1);
}

GStrv
lac_command_palette_dup_shown(LacCommandPalette *self)
{
  g_return_val_if_fail(LAC_IS_COMMAND_PALETTE(self), NULL);
  g_autoptr(GStrvBuilder) shown = g_strv_builder_new();
  GtkListBoxRow          *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->list, i)) != NULL; i++)
    if (is_wanted(row, self))
      g_strv_builder_add(shown, command_of(row)->action);
  return g_strv_builder_end(shown);
}

static void
lac_command_palette_finalize(GObject *object)
{
  g_strfreev(LAC_COMMAND_PALETTE(object)->wanted);
  G_OBJECT_CLASS(lac_command_palette_parent_class)->finalize(object);
}

static void
lac_command_palette_class_init(LacCommandPaletteClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_command_palette_finalize;
}

static GtkWidget *
make_nothing(void)
{
  GtkWidget *label = make_label(_("No command holds these words."), TRUE);
  gtk_label_set_xalign(GTK_LABEL(label), 0.5F);
  gtk_widget_set_margin_top(label, 24);
  gtk_widget_set_margin_bottom(label, 24);
  return label;
}

static void
lac_command_palette_init(LacCommandPalette *self)
{
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget          *scroller = gtk_scrolled_window_new();
  GtkEventController *keys = gtk_event_controller_key_new();
  self->entry = GTK_SEARCH_ENTRY(gtk_search_entry_new());
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_placeholder(self->list, make_nothing());
  gtk_list_box_set_filter_func(self->list, is_wanted, self, NULL);
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_BROWSE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->list));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_widget_set_margin_top(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_bottom(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_start(GTK_WIDGET(self->entry), 12);
  gtk_widget_set_margin_end(GTK_WIDGET(self->entry), 12);
  lac_accessible_name(self->entry, _("Search commands"));
  lac_accessible_name(self->list, _("Commands"));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->entry));
  gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(GTK_BOX(box), scroller);
  adw_window_set_content(ADW_WINDOW(self), box);
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  g_signal_connect(self->entry, "changed", G_CALLBACK(on_search), self); /* Enter may follow */
  g_signal_connect(self->entry, "activate", G_CALLBACK(on_enter), self);
  g_signal_connect_swapped(self->entry, "stop-search", G_CALLBACK(gtk_window_close), self);
  g_signal_connect(self->list, "row-activated", G_CALLBACK(on_row), self);
}

GtkWidget *
lac_command_palette_new(GtkWindow *window)
{
  g_return_val_if_fail(GTK_IS_WINDOW(window), NULL);
  LacCommandPalette *self =
    g_object_new(LAC_TYPE_COMMAND_PALETTE, "transient-for", window, "modal", TRUE, "title",
                 _("Commands"), "default-width", 560, "default-height", 420, NULL);
  gsize             n;
  const LacCommand *commands = lac_commands(&n);
  for (gsize i = 0; i < n; i++)
    gtk_list_box_append(self->list, make_row(&commands[i], window));
  choose(self, 0, 1);
  gtk_widget_grab_focus(GTK_WIDGET(self->entry));
  return GTK_WIDGET(self);
}
