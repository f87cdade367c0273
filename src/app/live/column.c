/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column layout that depends on the shape of the panes, which GtkBox does not support. */
#include "app/live/column.h"

struct _LacLiveColumn {
  GtkWidget     parent_instance;
  GtkWidget    *viewer;
  LacFieldView *field;
  gboolean      is_filled;
};

G_DEFINE_FINAL_TYPE(LacLiveColumn, lac_live_column, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
lac_live_column_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lac_live_column_measure(GtkWidget     *widget,
                        GtkOrientation orientation,
                        int            for_size,
                        int           *minimum,
                        int           *natural,
                        int           *minimum_baseline,
                        int           *natural_baseline)
{
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    int least, wanted;
    if (!gtk_widget_should_layout(child))
      continue;
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
      gtk_widget_measure(child, orientation, -1, &least, &wanted, NULL, NULL);
      *minimum = MAX(*minimum, least);
      *natural = MAX(*natural, wanted);
    } else {
      gtk_widget_measure(child, orientation, for_size, &least, &wanted, NULL, NULL);
      *minimum += least;
      *natural += wanted;
    }
  }
}

/* Returns: the part of @height for the viewer with its margins. @others: height of the children between it and the
 * last one */
static int
divide(LacLiveColumn *self, int width, int height, int others)
{
  int least, curves;
  int across = gtk_widget_get_margin_start(self->viewer) + gtk_widget_get_margin_end(self->viewer);
  int along = gtk_widget_get_margin_top(self->viewer) + gtk_widget_get_margin_bottom(self->viewer);
  gtk_widget_measure(self->viewer, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_measure(gtk_widget_get_last_child(GTK_WIDGET(self)), GTK_ORIENTATION_VERTICAL, width,
                     &curves, NULL, NULL, NULL);
  int most = MAX(height - others - curves, least);
  if (self->is_filled)
    return most;
  int fit = lac_field_view_fit_height(self->field, width - across, most - along) + along;
  return CLAMP(fit, least, most);
}

static void
lac_live_column_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacLiveColumn *self = LAC_LIVE_COLUMN(widget);
  GtkWidget     *last = gtk_widget_get_last_child(widget);
  int            y = 0, others = 0, wanted;
  if (self->viewer == NULL)
    return;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != last;
       child = gtk_widget_get_next_sibling(child)) {
    if (child == self->viewer || !gtk_widget_should_layout(child))
      continue;
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, NULL, &wanted, NULL, NULL);
    others += wanted;
  }
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child))
      continue;
    if (child == self->viewer)
      wanted = divide(self, width, height, others);
    else if (child == last)
      wanted = MAX(height - y, 0);
    else
      gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, NULL, &wanted, NULL, NULL);
    gtk_widget_size_allocate(child, &(GtkAllocation){0, y, width, wanted}, -1);
    y += wanted;
  }
}

static void
lac_live_column_dispose(GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object))) != NULL)
    gtk_widget_unparent(child);
  LAC_LIVE_COLUMN(object)->viewer = NULL;
  G_OBJECT_CLASS(lac_live_column_parent_class)->dispose(object);
}

static void
lac_live_column_class_init(LacLiveColumnClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_live_column_dispose;
  widget_class->get_request_mode = lac_live_column_get_request_mode;
  widget_class->measure = lac_live_column_measure;
  widget_class->size_allocate = lac_live_column_size_allocate;
}

static void
lac_live_column_init(LacLiveColumn *self)
{
}

void
lac_live_column_set_field(LacLiveColumn *self, GtkWidget *viewer, LacFieldView *field)
{
  g_return_if_fail(LAC_IS_LIVE_COLUMN(self) && LAC_IS_FIELD_VIEW(field) &&
                   gtk_widget_get_parent(viewer) == GTK_WIDGET(self));
  self->viewer = viewer;
  self->field = field;
}

void
lac_live_column_set_filled(LacLiveColumn *self, gboolean is_filled)
{
  g_return_if_fail(LAC_IS_LIVE_COLUMN(self));
  if (self->is_filled == is_filled)
    return;
  self->is_filled = is_filled;
  gtk_widget_queue_resize(GTK_WIDGET(self));
}
