/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/toolkit/bottom-bar.h"

#define HEIGHT  53
#define SPACING 6

struct _LacBottomBar {
  GtkWidget parent_instance;
  GtkBox   *box, *start, *words, *middle, *actions;
  GtkLabel *title, *caption;
};

G_DEFINE_FINAL_TYPE(LacBottomBar, lac_bottom_bar, GTK_TYPE_WIDGET)

static void
set_line(GtkLabel *label, const char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text != NULL ? text : "") != 0)
    gtk_label_set_text(label, text != NULL ? text : "");
  gtk_widget_set_visible(GTK_WIDGET(label), text != NULL);
}

void
lac_bottom_bar_set_words(LacBottomBar *self, const char *title, const char *caption)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(self));
  set_line(self->title, title);
  set_line(self->caption, caption);
}

void
lac_bottom_bar_set_refused(LacBottomBar *self, gboolean refused)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(self));
  if (refused)
    gtk_widget_add_css_class(GTK_WIDGET(self->title), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->title), "error");
}

void
lac_bottom_bar_add_start(LacBottomBar *self, GtkWidget *controls)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(self) && GTK_IS_WIDGET(controls));
  gtk_widget_set_valign(controls, GTK_ALIGN_CENTER);
  gtk_box_append(self->start, controls);
}

void
lac_bottom_bar_set_middle(LacBottomBar *self, GtkWidget *middle)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(self) && (middle == NULL || GTK_IS_WIDGET(middle)));
  GtkWidget *before = gtk_widget_get_first_child(GTK_WIDGET(self->middle));
  if (before != NULL)
    gtk_box_remove(self->middle, before);
  if (middle == NULL)
    return;
  gtk_widget_set_hexpand(middle, TRUE);
  gtk_box_append(self->middle, middle);
}

void
lac_bottom_bar_add_action(LacBottomBar *self, GtkWidget *action)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(self) && GTK_IS_WIDGET(action));
  gtk_widget_set_valign(action, GTK_ALIGN_CENTER);
  gtk_box_append(self->actions, action);
}

static void
lac_bottom_bar_dispose(GObject *object)
{
  LacBottomBar *self = LAC_BOTTOM_BAR(object);
  if (self->box != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->box));
  self->box = NULL;
  G_OBJECT_CLASS(lac_bottom_bar_parent_class)->dispose(object);
}

static void
lac_bottom_bar_class_init(LacBottomBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_bottom_bar_dispose;
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(widget_class, "bottombar");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkBox *
add_part(GtkBox *parent, GtkOrientation orientation, int spacing)
{
  GtkWidget *part = gtk_box_new(orientation, spacing);
  gtk_widget_set_valign(part, GTK_ALIGN_CENTER);
  gtk_box_append(parent, part);
  return GTK_BOX(part);
}

static GtkLabel *
add_line(GtkBox *parent, const char *const classes[])
{
  GtkWidget *label = gtk_label_new("");
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible(label, FALSE);
  gtk_widget_set_css_classes(label, (const char **) classes);
  gtk_box_append(parent, label);
  return GTK_LABEL(label);
}

static void
lac_bottom_bar_init(LacBottomBar *self)
{
  static const char *const        title_classes[] = {"heading", "numeric", NULL},
                           *const caption_classes[] = {"caption", "dim-label", "numeric", NULL};
  self->box = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2 * SPACING));
  gtk_widget_set_size_request(GTK_WIDGET(self->box), -1, HEIGHT);
  gtk_widget_set_parent(GTK_WIDGET(self->box), GTK_WIDGET(self));
  gtk_widget_set_margin_start(GTK_WIDGET(self->box), 2 * SPACING);
  gtk_widget_set_margin_end(GTK_WIDGET(self->box), 2 * SPACING);
  self->start = add_part(self->box, GTK_ORIENTATION_HORIZONTAL, SPACING);
  self->words = add_part(self->box, GTK_ORIENTATION_VERTICAL, 0);
  self->middle = add_part(self->box, GTK_ORIENTATION_HORIZONTAL, SPACING);
  gtk_widget_set_hexpand(GTK_WIDGET(self->middle), TRUE);
  self->actions = add_part(self->box, GTK_ORIENTATION_HORIZONTAL, SPACING);
  self->title = add_line(self->words, title_classes);
  self->caption = add_line(self->words, caption_classes);
}

GtkWidget *
lac_bottom_bar_new(void)
{
  return g_object_new(LAC_TYPE_BOTTOM_BAR, NULL);
}
