/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the titles of rows. */
#include "app/setup/stack-layout.h"

/* ---- a vertical GtkBox whose requested width does not depend on its height ---- */

/* GtkBox queries a wrapped label for the width at a given height, and the label tries thirty widths each time: this
 * dominated the time to show a page of rows. */
#define LAC_TYPE_STACK_LAYOUT (lac_stack_layout_get_type())
G_DECLARE_FINAL_TYPE(LacStackLayout, lac_stack_layout, LAC, STACK_LAYOUT, GtkLayoutManager)

#define SPACING 3 /* px: between title and subtitle in libadwaita's style */

struct _LacStackLayout {
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE(LacStackLayout, lac_stack_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
lac_stack_layout_get_request_mode(GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lac_stack_layout_measure(GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         GtkOrientation    orientation,
                         int               for_size,
                         int              *minimum,
                         int              *natural,
                         int              *minimum_baseline,
                         int              *natural_baseline)
{
  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  int            gap = 0;
  *minimum = *natural = 0;
  *minimum_baseline = *natural_baseline = -1;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    int least, usual;
    if (!gtk_widget_should_layout(child))
      continue;
    gtk_widget_measure(child, orientation, across ? -1 : for_size, &least, &usual, NULL, NULL);
    *minimum = across ? MAX(*minimum, least) : *minimum + gap + least;
    *natural = across ? MAX(*natural, usual) : *natural + gap + usual;
    gap = SPACING;
  }
}

static void
lac_stack_layout_allocate(GtkLayoutManager *manager,
                          GtkWidget        *widget,
                          int               width,
                          int               height,
                          int               baseline)
{
  int y = 0, least, usual;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child))
      continue;
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least, &usual, NULL, NULL);
    int high = MAX(least, MIN(usual, height - y));
    gtk_widget_size_allocate(child, &(GtkAllocation){0, y, width, high}, -1);
    y += high + SPACING;
  }
}

static void
lac_stack_layout_class_init(LacStackLayoutClass *class)
{
  GtkLayoutManagerClass *manager = GTK_LAYOUT_MANAGER_CLASS(class);
  manager->get_request_mode = lac_stack_layout_get_request_mode;
  manager->measure = lac_stack_layout_measure;
  manager->allocate = lac_stack_layout_allocate;
}

static void
lac_stack_layout_init(LacStackLayout *self)
{
}

static GtkWidget *
find_titles(GtkWidget *widget)
{
  if (GTK_IS_BOX(widget) && gtk_widget_has_css_class(widget, "title"))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_titles(child);
  return found;
}

void
lac_stack_layout_take_titles(GtkWidget *action_row)
{
  g_return_if_fail(ADW_IS_ACTION_ROW(action_row));
  GtkWidget *titles = find_titles(action_row);
  if (titles != NULL) /* other libadwaita versions only lose the speed-up */
    gtk_widget_set_layout_manager(titles, g_object_new(LAC_TYPE_STACK_LAYOUT, NULL));
}
