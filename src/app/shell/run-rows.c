/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row follows its item while it is bound. */
#include "app/shell/run-rows.h"

#include "app/runs/pictures.h"
#include "app/session/run-group-item.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#define PICTURE 36 /* width and height of a thumbnail */
#define ROW     "lac-row"

struct _LacRunRows {
  GObject             parent_instance;
  GtkTreeListModel   *tree;
  GtkSelectionModel  *selection;
  GtkListItemFactory *factory;
  GPtrArray          *bound;   /* GtkListItem, borrowed */
  GPtrArray          *letters; /* LacRunItem */
};

G_DEFINE_FINAL_TYPE(LacRunRows, lac_run_rows, G_TYPE_OBJECT)

/* The widgets of one row. */
typedef struct {
  GtkWidget *expander, *box, *thumbnail, *picture, *folder, *letter, *words;
  GtkLabel  *name, *caption, *result;
} Row;

static Row *
row_of(GtkListItem *item)
{
  return g_object_get_data(G_OBJECT(item), ROW);
}

/* ---- the widgets ---- */

static GtkLabel *
make_label(const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  if (class != NULL)
    gtk_widget_add_css_class(label, class);
  return GTK_LABEL(label);
}

static GtkWidget *
make_thumbnail(Row *row)
{
  GtkWidget *overlay = gtk_overlay_new(), *square = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  row->picture = gtk_picture_new();
  row->folder = gtk_image_new_from_icon_name("folder-symbolic");
  row->letter = gtk_label_new(NULL);
  gtk_picture_set_content_fit(GTK_PICTURE(row->picture), GTK_CONTENT_FIT_COVER);
  gtk_picture_set_can_shrink(GTK_PICTURE(row->picture), TRUE);
  gtk_widget_set_size_request(square, PICTURE, PICTURE);
  gtk_widget_set_valign(overlay, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow(row->picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(row->picture, "run-picture");
  gtk_widget_add_css_class(row->letter, "run-letter");
  gtk_widget_set_halign(row->letter, GTK_ALIGN_END);
  gtk_widget_set_valign(row->letter, GTK_ALIGN_START);
  gtk_overlay_set_child(GTK_OVERLAY(overlay),
                        square); /* it sets the size, whatever the picture has */
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->picture);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->folder);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->letter);
  return overlay;
}

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, LacRunRows *self)
{
  Row *row = g_new0(Row, 1);
  row->expander = gtk_tree_expander_new();
  row->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  row->thumbnail = make_thumbnail(row);
  row->words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  row->name = make_label(NULL);
  row->caption = make_label("caption");
  row->result = make_label("numeric");
  gtk_widget_add_css_class(GTK_WIDGET(row->caption), "dim-label");
  gtk_widget_add_css_class(GTK_WIDGET(row->caption), "numeric");
  gtk_widget_add_css_class(GTK_WIDGET(row->result), "run-result");
  gtk_label_set_ellipsize(row->result, PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand(row->words, TRUE);
  gtk_widget_set_valign(row->words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(row->words), GTK_WIDGET(row->name));
  gtk_box_append(GTK_BOX(row->words), GTK_WIDGET(row->caption));
  gtk_box_append(GTK_BOX(row->box), row->thumbnail);
  gtk_box_append(GTK_BOX(row->box), row->words);
  gtk_box_append(GTK_BOX(row->box), GTK_WIDGET(row->result));
  gtk_tree_expander_set_child(GTK_TREE_EXPANDER(row->expander), row->box);
  gtk_list_item_set_child(item, row->expander);
  g_object_set_data_full(G_OBJECT(item), ROW, row, g_free);
}

/* ---- what they show ---- */

static void
set_caption(Row *row, const char *text)
{
  gtk_label_set_text(row->caption, text);
  gtk_widget_set_visible(GTK_WIDGET(row->caption), text[0] != '\0');
}

static void
show_letter(LacRunRows *self, GtkListItem *item, LacRunItem *run)
{
  Row  *row = row_of(item);
  guint at = 0;
  char  text[2] = {0};
  if (self->letters->len >= 2 && run != NULL && g_ptr_array_find(self->letters, run, &at) &&
      at < 26)
    text[0] = (char) ('a' + at);
  gtk_label_set_text(GTK_LABEL(row->letter), text);
  gtk_widget_set_visible(row->letter, text[0] != '\0');
  if (at == 1)
    gtk_widget_add_css_class(row->letter, "second");
  else
    gtk_widget_remove_css_class(row->letter, "second");
}

static void
show_run(LacRunItem *run, GtkListItem *item)
{
  Row                  *row = row_of(item);
  const LacRunHeadline *headline = lac_run_item_get(run);
  g_autofree char      *caption = lac_run_item_dup_caption(headline);
  g_autofree char      *result = lac_run_item_dup_best(headline);
  g_autofree char      *whole = NULL;
  gtk_label_set_text(row->name, g_dgettext(GETTEXT_PACKAGE, headline->title));
  set_caption(row, caption);
  gtk_label_set_text(row->result, result);
  gtk_picture_set_paintable(GTK_PICTURE(row->picture),
                            GDK_PAINTABLE(lac_run_item_get_picture(run)));
  whole = g_strdup_printf("%s, %s, %s", gtk_label_get_text(row->name), caption, result);
  lac_accessible_name_cell(item, whole);
  lac_run_pictures_request(run);
}

static void
show_group(LacRunGroupItem *group, GtkListItem *item)
{
  Row             *row = row_of(item);
  guint            n = lac_run_group_item_get_n_runs(group);
  g_autofree char *shown = lac_format_count(n);
  g_autofree char *count = g_strdup_printf(ngettext("%s run", "%s runs", n), shown);
  g_autofree char *whole = g_strdup_printf("%s, %s", lac_run_group_item_get_title(group), count);
  gtk_label_set_text(row->name, lac_run_group_item_get_title(group));
  set_caption(row, lac_run_group_item_is_sweep(group) ? count : "");
  gtk_label_set_text(row->result, "");
  lac_accessible_name_cell(item, whole);
}

static void
on_updated(gpointer object, GtkListItem *item)
{
  if (LAC_IS_RUN_GROUP_ITEM(object))
    show_group(object, item);
  else
    show_run(object, item);
}

static void
set_class(gpointer widget, const char *class, gboolean wanted)
{
  if (wanted)
    gtk_widget_add_css_class(widget, class);
  else
    gtk_widget_remove_css_class(widget, class);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *item, LacRunRows *self)
{
  Row                      *row = row_of(item);
  g_autoptr(GtkTreeListRow) line =
    gtk_tree_list_model_get_row(self->tree, gtk_list_item_get_position(item));
  GObject *object = gtk_list_item_get_item(item);
  gboolean is_group = LAC_IS_RUN_GROUP_ITEM(object);
  gboolean is_sweep = is_group && lac_run_group_item_is_sweep(LAC_RUN_GROUP_ITEM(object));
  gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), is_group ? line : NULL);
  gtk_widget_set_focusable(row->expander, is_group);
  gtk_widget_set_visible(row->thumbnail, !is_group || is_sweep);
  gtk_widget_set_visible(row->picture, !is_group);
  gtk_widget_set_visible(row->folder, is_sweep);
  set_class(row->name, "dim-label", is_group && !is_sweep);
  set_class(row->box, "inset", !is_group && gtk_tree_list_row_get_depth(line) > 1);
  g_signal_connect(object, "updated", G_CALLBACK(on_updated), item);
  on_updated(object, item);
  show_letter(self, item, is_group ? NULL : LAC_RUN_ITEM(object));
  g_ptr_array_add(self->bound, item);
}

static void
on_unbind(GtkSignalListItemFactory *factory, GtkListItem *item, LacRunRows *self)
{
  g_signal_handlers_disconnect_by_data(gtk_list_item_get_item(item), item);
  gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row_of(item)->expander), NULL);
  g_ptr_array_remove_fast(self->bound, item);
}

/* ---- the object ---- */

GtkListItemFactory *
lac_run_rows_get_factory(LacRunRows *self)
{
  g_return_val_if_fail(LAC_IS_RUN_ROWS(self), NULL);
  return self->factory;
}

void
lac_run_rows_set_letters(LacRunRows *self, GPtrArray *letters)
{
  g_return_if_fail(LAC_IS_RUN_ROWS(self) && letters != NULL);
  g_ptr_array_set_size(self->letters, 0);
  for (guint i = 0; i < letters->len; i++)
    g_ptr_array_add(self->letters, g_object_ref(letters->pdata[i]));
  for (guint i = 0; i < self->bound->len; i++) {
    GObject *object = gtk_list_item_get_item(self->bound->pdata[i]);
    show_letter(self, self->bound->pdata[i], LAC_IS_RUN_ITEM(object) ? LAC_RUN_ITEM(object) : NULL);
  }
}

static void
lac_run_rows_dispose(GObject *object)
{
  LacRunRows *self = LAC_RUN_ROWS(object);
  if (self->factory != NULL)
    g_signal_handlers_disconnect_by_data(self->factory, self);
  g_clear_object(&self->factory);
  g_clear_object(&self->selection);
  g_clear_object(&self->tree);
  g_clear_pointer(&self->bound, g_ptr_array_unref);
  g_clear_pointer(&self->letters, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_run_rows_parent_class)->dispose(object);
}

static void
lac_run_rows_class_init(LacRunRowsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_run_rows_dispose;
}

static void
lac_run_rows_init(LacRunRows *self)
{
  self->bound = g_ptr_array_new();
  self->letters = g_ptr_array_new_with_free_func(g_object_unref);
  self->factory = gtk_signal_list_item_factory_new();
  g_signal_connect(self->factory, "setup", G_CALLBACK(on_setup), self);
  g_signal_connect(self->factory, "bind", G_CALLBACK(on_bind), self);
  g_signal_connect(self->factory, "unbind", G_CALLBACK(on_unbind), self);
}

LacRunRows *
lac_run_rows_new(GtkTreeListModel *tree, GtkSelectionModel *selection)
{
  LacRunRows *self = g_object_new(LAC_TYPE_RUN_ROWS, NULL);
  self->tree = g_object_ref(tree);
  self->selection = g_object_ref(selection);
  return self;
}
