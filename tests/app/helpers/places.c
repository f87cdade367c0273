/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports each widget's position within its window like GTK before 4.10. Later versions add up positions that omit
 * the padding of containers, and report a position for widgets on hidden pages. A GIO module, loaded by the window
 * under test through GIO_EXTRA_MODULES. */
#include <adwaita.h>

#include <math.h>

/* Returns the bounds in whole pixels of the window. */
static graphene_rect_t
within_window(GtkWidget *widget)
{
  GtkRoot        *root = gtk_widget_get_root(widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, 0, 0);
  if (root != NULL && gtk_widget_get_mapped(widget) &&
      !gtk_widget_compute_bounds(widget, GTK_WIDGET(root), &bounds))
    bounds = GRAPHENE_RECT_INIT(0, 0, 0, 0);
  bounds.origin.x = floorf(bounds.origin.x);
  bounds.origin.y = floorf(bounds.origin.y);
  return bounds;
}

/* Non-widgets, such as a page of a stack, get the position of their container. */
static gboolean
get_no_bounds(GtkAccessible *accessible G_GNUC_UNUSED, int *x, int *y, int *width, int *height)
{
  *x = *y = *width = *height = 0;
  return TRUE;
}

static GtkWidget *
widget_around(GtkAccessible *accessible)
{
  g_autoptr(GtkAccessible) parent = gtk_accessible_get_accessible_parent(accessible);
  return parent == NULL || GTK_IS_WIDGET(parent) ? (GtkWidget *) parent : widget_around(parent);
}

/* Returns bounds such that the positions of a widget and of its ancestors add up to its position within the window. */
static gboolean
get_bounds(GtkAccessible *accessible, int *x, int *y, int *width, int *height)
{
  graphene_rect_t bounds = within_window(GTK_WIDGET(accessible));
  GtkWidget      *around = widget_around(accessible);
  *x = *y = 0;
  *width = (int) ceilf(bounds.size.width);
  *height = (int) ceilf(bounds.size.height);
  if (GTK_IS_ROOT(accessible))
    return TRUE;
  if (around != NULL && !GTK_IS_ROOT(around))
    graphene_rect_offset(&bounds, -within_window(around).origin.x, -within_window(around).origin.y);
  *x = (int) bounds.origin.x;
  *y = (int) bounds.origin.y;
  return TRUE;
}

/* A widget type may have its own copy of the interface; a class initialised later inherits that of its parent. */
static void
replace(GType type)
{
  GTypeClass *class = g_type_class_peek(type);
  GtkAccessibleInterface *interface =
    class != NULL ? g_type_interface_peek(class, GTK_TYPE_ACCESSIBLE) : NULL;
  g_autofree GType *children = g_type_children(type, NULL);
  if (interface != NULL)
    interface->get_bounds = g_type_is_a(type, GTK_TYPE_WIDGET) ? get_bounds : get_no_bounds;
  for (GType *child = children; *child != 0; child++)
    replace(*child);
}

static gboolean
on_idle(gpointer user_data G_GNUC_UNUSED)
{
  if (!gtk_is_initialized())
    return G_SOURCE_REMOVE;
  g_type_class_ref(GTK_TYPE_STACK_PAGE);
  g_type_class_ref(ADW_TYPE_VIEW_STACK_PAGE);
  replace(G_TYPE_OBJECT);
  return G_SOURCE_REMOVE;
}

/* Entry points with the names that GIO requires. */
G_MODULE_EXPORT void g_io_places_load(GIOModule *module);
G_MODULE_EXPORT void g_io_places_unload(GIOModule *module);

void
g_io_places_load(GIOModule *module)
{
  g_type_module_use(G_TYPE_MODULE(module)); /* never unloaded */
  g_idle_add_full(G_PRIORITY_HIGH, on_idle, NULL, NULL);
}

void
g_io_places_unload(GIOModule *module G_GNUC_UNUSED)
{
}
