/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row follows its item while it is bound. */
#include "app/shell/run-rows.h"

#include "app/plot/spark-chart.h"
#include "app/runs/pictures.h"
#include "app/session/run-group-item.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

#define PICTURE      36 /* width and height of a thumbnail */
#define FOLDER       20 /* width of the folder of a sweep, after its arrow */
#define CHART_WIDTH  56
#define CHART_HEIGHT 24
#define ROW          "lac-row"
#define IN_SWEEP     52 /* indents the name of a run of a sweep below that of the sweep */

struct _LacRunRows {
  GObject             parent_instance;
  GtkTreeListModel   *tree;
  GtkSelectionModel  *selection;
  GtkListItemFactory *factory;
  GPtrArray          *bound;   /* GtkListItem, borrowed */
  GPtrArray          *letters; /* LacRunItem */
  char               *opening; /* (nullable): path of the run that is being read */
};

G_DEFINE_FINAL_TYPE(LacRunRows, lac_run_rows, G_TYPE_OBJECT)

/* The widgets of one row. */
typedef struct {
  GtkWidget     *expander, *box, *thumbnail, *square, *picture, *folder, *letter, *words, *spinner;
  GtkLabel      *name, *caption, *result;
  LacSparkChart *chart;
  gboolean       is_in_sweep; /* shows a run below its sweep */
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
  GtkWidget *overlay = gtk_overlay_new();
  row->square = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  row->picture = gtk_picture_new();
  row->folder = gtk_image_new_from_icon_name("folder-symbolic");
  row->letter = gtk_label_new(NULL);
  gtk_picture_set_content_fit(GTK_PICTURE(row->picture), GTK_CONTENT_FIT_COVER);
  gtk_picture_set_can_shrink(GTK_PICTURE(row->picture), TRUE);
  gtk_widget_set_valign(overlay, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow(row->picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(row->picture, "run-picture");
  gtk_widget_set_halign(row->letter, GTK_ALIGN_END);
  gtk_widget_set_valign(row->letter, GTK_ALIGN_START);
  gtk_overlay_set_child(GTK_OVERLAY(overlay),
                        row->square); /* it sets the size, whatever the picture has */
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->picture);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->folder);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), row->letter);
  return overlay;
}

/* Adds what stands at the right: the chart of a sweep, the result of a run, a sign that it is being read. */
static void
add_result(Row *row)
{
  row->chart = g_object_new(LAC_TYPE_SPARK_CHART, NULL);
  row->result = make_label("numeric");
  row->spinner = gtk_spinner_new();
  gtk_widget_set_size_request(GTK_WIDGET(row->chart), CHART_WIDTH, CHART_HEIGHT);
  gtk_widget_set_valign(GTK_WIDGET(row->chart), GTK_ALIGN_CENTER);
  gtk_widget_set_can_target(GTK_WIDGET(row->chart), FALSE);
  gtk_widget_add_css_class(GTK_WIDGET(row->result), "run-result");
  gtk_label_set_ellipsize(row->result, PANGO_ELLIPSIZE_NONE);
  lac_label_keep_number(row->result);
  gtk_box_append(GTK_BOX(row->box), GTK_WIDGET(row->chart));
  gtk_box_append(GTK_BOX(row->box), GTK_WIDGET(row->result));
  gtk_box_append(GTK_BOX(row->box), row->spinner);
}

static void
on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, LacRunRows *self)
{
  Row *row = g_new0(Row, 1);
  row->expander = gtk_tree_expander_new();
  row->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  row->thumbnail = make_thumbnail(row);
  row->words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  row->name = make_label(NULL);
  row->caption = make_label("caption");
  gtk_widget_add_css_class(GTK_WIDGET(row->caption), "dim-label");
  gtk_widget_add_css_class(GTK_WIDGET(row->caption), "numeric");
  gtk_widget_set_hexpand(row->words, TRUE);
  gtk_widget_set_valign(row->words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(row->words), GTK_WIDGET(row->name));
  gtk_box_append(GTK_BOX(row->words), GTK_WIDGET(row->caption));
  gtk_box_append(GTK_BOX(row->box), row->thumbnail);
  gtk_box_append(GTK_BOX(row->box), row->words);
  add_result(row);
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
  g_autofree char  *colour = g_strdup_printf("run-%u", at % LAC_STYLE_RUN_COLOURS);
  const char *const classes[] = {"run-letter", colour, NULL};
  gtk_widget_set_css_classes(row->letter, (const char **) classes);
}

static void
show_run(LacRunItem *run, GtkListItem *item)
{
  Row                  *row = row_of(item);
  const LacRunHeadline *headline = lac_run_item_get(run);
  const char           *title = g_dgettext(GETTEXT_PACKAGE, headline->title);
  g_autofree char      *swept = row->is_in_sweep ? lac_run_item_dup_swept(headline) : NULL;
  g_autofree char *caption = row->is_in_sweep ? g_strdup("") : lac_run_item_dup_caption(headline);
  g_autofree char *result = lac_run_item_dup_best(headline);
  g_autofree char *whole = NULL;
  gtk_label_set_text(row->name, swept != NULL && *swept != '\0' ? swept : title);
  set_caption(row, caption);
  lac_tip_set(row->words, *caption != '\0' ? caption : NULL);
  gtk_label_set_text(row->result, result);
  gtk_picture_set_paintable(GTK_PICTURE(row->picture),
                            GDK_PAINTABLE(lac_run_item_get_picture(run)));
  whole = g_strdup_printf("%s, %s, %s", title, row->is_in_sweep ? swept : caption, result);
  lac_accessible_name_cell(item, whole);
  if (!row->is_in_sweep)
    lac_run_pictures_request(run);
}

/* Shows the best result of each run of a sweep, in the order of their values. */
static void
show_chart(LacRunGroupItem *group, LacSparkChart *chart)
{
  gsize              n;
  g_autofree double *values = lac_run_group_item_dup_values(group, &n), *x = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    x[i] = (double) i;
  lac_spark_chart_set(chart,
                      &(LacSparkCurve){.x = x, .y = values, .n = n, .log_y = TRUE, .look = 1});
}

static void
show_group(LacRunGroupItem *group, GtkListItem *item)
{
  Row             *row = row_of(item);
  guint            n = lac_run_group_item_get_n_runs(group);
  g_autofree char *shown = lac_format_count(n);
  g_autofree char *count = g_strdup_printf(ngettext("%s run", "%s runs", n), shown);
  g_autofree char *caption =
    g_strdup_printf(ngettext("sweep · %s run", "sweep · %s runs", n), shown);
  g_autofree char *whole = g_strdup_printf("%s, %s", lac_run_group_item_get_title(group), count);
  gtk_label_set_text(row->name, lac_run_group_item_get_title(group));
  set_caption(row, lac_run_group_item_is_sweep(group) ? caption : "");
  lac_tip_set(row->words, NULL);
  if (lac_run_group_item_is_sweep(group))
    show_chart(group, row->chart);
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

static gboolean
is_sweep(gpointer item)
{
  return LAC_IS_RUN_GROUP_ITEM(item) && lac_run_group_item_is_sweep(item);
}

static gboolean
is_below_sweep(GtkTreeListRow *line)
{
  g_autoptr(GtkTreeListRow) above = gtk_tree_list_row_get_parent(line);
  g_autoptr(GObject)        item = above != NULL ? gtk_tree_list_row_get_item(above) : NULL;
  return item != NULL && is_sweep(item);
}

static void
show_opening(LacRunRows *self, GtkListItem *item)
{
  Row     *row = row_of(item);
  gpointer object = gtk_list_item_get_item(item);
  gboolean is_opening = self->opening != NULL && LAC_IS_RUN_ITEM(object) &&
                        g_str_equal(lac_run_item_get(object)->path, self->opening);
  gtk_widget_set_visible(row->spinner, is_opening);
  gtk_spinner_set_spinning(GTK_SPINNER(row->spinner), is_opening);
  gtk_widget_set_visible(GTK_WIDGET(row->result), !is_opening && !LAC_IS_RUN_GROUP_ITEM(object));
}

/* Shows the widgets that a kind of row has: a group, a sweep, a run of a sweep, another run. */
static void
show_kind(Row *row, GtkTreeListRow *line, gpointer object)
{
  gboolean is_group = LAC_IS_RUN_GROUP_ITEM(object), is_folder = is_sweep(object);
  row->is_in_sweep = !is_group && is_below_sweep(line);
  gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(row->expander), is_group ? line : NULL);
  gtk_widget_set_focusable(row->expander, is_group);
  gtk_widget_set_visible(row->thumbnail, is_folder || (!is_group && !row->is_in_sweep));
  gtk_widget_set_visible(row->picture, !is_group);
  gtk_widget_set_visible(row->folder, is_folder);
  gtk_widget_set_visible(GTK_WIDGET(row->chart), is_folder);
  gtk_widget_set_size_request(row->square, is_folder ? FOLDER : PICTURE, PICTURE);
  gtk_widget_set_margin_start(row->box, row->is_in_sweep ? IN_SWEEP : 0);
  set_class(row->name, "group-name", is_group && !is_folder);
}

static void
on_bind(GtkSignalListItemFactory *factory, GtkListItem *item, LacRunRows *self)
{
  Row                      *row = row_of(item);
  g_autoptr(GtkTreeListRow) line =
    gtk_tree_list_model_get_row(self->tree, gtk_list_item_get_position(item));
  GObject *object = gtk_list_item_get_item(item);
  show_kind(row, line, object);
  g_signal_connect(object, "updated", G_CALLBACK(on_updated), item);
  on_updated(object, item);
  show_letter(self, item, LAC_IS_RUN_ITEM(object) ? LAC_RUN_ITEM(object) : NULL);
  show_opening(self, item);
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

void
lac_run_rows_set_opening(LacRunRows *self, const char *path)
{
  g_return_if_fail(LAC_IS_RUN_ROWS(self));
  if (g_strcmp0(path, self->opening) == 0)
    return;
  g_free(self->opening);
  self->opening = g_strdup(path);
  for (guint i = 0; i < self->bound->len; i++)
    show_opening(self, self->bound->pdata[i]);
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
  g_clear_pointer(&self->opening, g_free);
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
