/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modes of a field view. */
#include "app/field/view-controls.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

static const struct {
  const char *word, *label;
} modes[LAC_N_VIEWS] = {
  [LAC_VIEW_BOTH] = {"both", N_("Side by Side")},
  [LAC_VIEW_FIELDS] = {"fields", N_("Side by Side")},
  [LAC_VIEW_ERRORS] = {"errors", N_("Errors")},
  [LAC_VIEW_DEVIATION] = {"deviation", N_("Uncertainty")},
  [LAC_VIEW_VOLUME] = {"volume", N_("3D View")},
  [LAC_VIEW_SWIPE] = {"swipe", N_("Swipe")},
  [LAC_VIEW_FADE] = {"fade", N_("Fade")},
  [LAC_VIEW_FLICKER] = {"flicker", N_("Flicker")},
  [LAC_VIEW_DIFFERENCE] = {"difference", N_("Difference Only")},
  [LAC_VIEW_LARGE] = {"large", N_("Single Field")},
};

struct _LacViewControls {
  GtkWidget      parent_instance;
  GtkMenuButton *button;
  GtkScale      *swipe, *rate;
  GtkButton     *next;
  LacFieldView  *view;
  char          *action;
};

G_DEFINE_FINAL_TYPE(LacViewControls, lac_view_controls, GTK_TYPE_WIDGET)

gboolean
lac_view_mode_find(const char *word, LacViewMode *mode)
{
  for (guint i = 0; i < LAC_N_VIEWS; i++)
    if (g_str_equal(word, modes[i].word)) {
      *mode = (LacViewMode) i;
      return TRUE;
    }
  return FALSE;
}

/* With buttons for the fields and errors beside the menu, it offers them as one item. */
static gboolean
is_offered(const LacFieldScene *scene, LacViewMode mode)
{
  if (!lac_field_scene_has_mode(scene, mode))
    return FALSE;
  return mode == LAC_VIEW_BOTH || mode >= LAC_VIEW_SWIPE ||
         !lac_field_scene_has_mode(scene, LAC_VIEW_BOTH);
}

static void
fill_menu(LacViewControls *self, const LacFieldScene *scene)
{
  g_autoptr(GMenu) menu = g_menu_new();
  for (guint i = 0; i < LAC_N_VIEWS; i++) {
    if (!is_offered(scene, (LacViewMode) i))
      continue;
    g_autoptr(GMenuItem) item = g_menu_item_new(_(modes[i].label), NULL);
    g_menu_item_set_action_and_target(item, self->action, "s", modes[i].word);
    g_menu_append_item(menu, item);
  }
  gtk_menu_button_set_menu_model(self->button, G_MENU_MODEL(menu));
  gtk_widget_set_visible(GTK_WIDGET(self->button),
                         g_menu_model_get_n_items(G_MENU_MODEL(menu)) > 1);
}

/* One slider serves both modes: the position of a swipe, or the share of the second field in a fade. */
static void
name_swipe(LacViewControls *self, gboolean fades)
{
  const char *label = fades ? _("Opacity of the second field") : _("Position of the divider");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->swipe),
                              fades
                                ? _("Opacity of the second field over the first")
                                : _("Position of the divider, same as its handle in the picture"));
  lac_accessible_name(self->swipe, label);
}

void
lac_view_controls_update(LacViewControls *self)
{
  g_return_if_fail(LAC_IS_VIEW_CONTROLS(self) && self->view != NULL);
  const LacFieldScene *scene = lac_field_view_get_scene(self->view);
  gboolean             has = lac_field_scene_has_mode(scene, scene->mode);
  LacViewMode          mode = has ? scene->mode : LAC_VIEW_FIELDS;
  guint                n_sources = 0;
  for (gsize i = 0; i < scene->n_channels; i++)
    n_sources += scene->channels[i].role == LAC_ROLE_RECONSTRUCTION ||
                 scene->channels[i].role == LAC_ROLE_BASELINE;
  fill_menu(self, scene);
  gtk_menu_button_set_label(self->button,
                            _(modes[is_offered(scene, mode) ? mode : LAC_VIEW_BOTH].label));
  gtk_widget_set_visible(GTK_WIDGET(self->swipe), mode == LAC_VIEW_SWIPE || mode == LAC_VIEW_FADE);
  name_swipe(self, mode == LAC_VIEW_FADE);
  gtk_widget_set_visible(GTK_WIDGET(self->rate), mode == LAC_VIEW_FLICKER);
  gtk_widget_set_visible(GTK_WIDGET(self->next),
                         mode == LAC_VIEW_LARGE || (mode >= LAC_VIEW_SWIPE && n_sources > 1));
}

static void
on_rate(GtkRange *range, LacViewControls *self)
{
  lac_field_view_set_flicker_rate(self->view, gtk_range_get_value(range));
}

static void
on_look(LacViewControls *self)
{
  gtk_range_set_value(GTK_RANGE(self->rate), lac_field_view_get_flicker_rate(self->view));
}

static void
on_next(GtkButton *button, LacViewControls *self)
{
  lac_field_view_choose_next(self->view);
}

static GtkScale *
make_scale(GtkWidget *box, double range[2], double step, const char *label, const char *tip)
{
  GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, range[0], range[1], step);
  gtk_scale_set_draw_value(GTK_SCALE(scale), FALSE);
  gtk_widget_set_size_request(scale, 96, -1);
  gtk_widget_set_valign(scale, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(scale, tip);
  lac_accessible_name(scale, label);
  gtk_box_append(GTK_BOX(box), scale);
  return GTK_SCALE(scale);
}

void
lac_view_controls_attach(LacViewControls *self, LacFieldView *view, const char *action)
{
  g_return_if_fail(LAC_IS_VIEW_CONTROLS(self) && LAC_IS_FIELD_VIEW(view) && self->view == NULL);
  self->view = view;
  self->action = g_strdup(action);
  g_object_bind_property(view, "swipe", gtk_range_get_adjustment(GTK_RANGE(self->swipe)), "value",
                         G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  gtk_range_set_value(GTK_RANGE(self->rate), lac_field_view_get_flicker_rate(view));
  g_signal_connect(self->rate, "value-changed", G_CALLBACK(on_rate), self);
  g_signal_connect_object(view, "look-changed", G_CALLBACK(on_look), self, G_CONNECT_SWAPPED);
  lac_view_controls_update(self);
}

static void
lac_view_controls_dispose(GObject *object)
{
  LacViewControls *self = LAC_VIEW_CONTROLS(object);
  GtkWidget       *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_pointer(&self->action, g_free);
  G_OBJECT_CLASS(lac_view_controls_parent_class)->dispose(object);
}

static void
lac_view_controls_class_init(LacViewControlsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_view_controls_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_view_controls_init(LacViewControls *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), _("View mode of the fields"));
  lac_accessible_name(self->button, _("View mode of the fields"));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->button));
  self->swipe = make_scale(box, (double[]){0, 1}, 0.01, _("Position of the divider"),
                           _("Position of the divider, same as its handle in the picture"));
  self->rate = make_scale(box, (double[]){LAC_FLICKER_LEAST, LAC_FLICKER_MOST}, 0.5,
                          _("Flicker rate per second"),
                          _("Flicker rate: 0.5 to 8 per second, at most 3 with reduced motion"));
  self->next = GTK_BUTTON(gtk_button_new_with_label(_("Next")));
  gtk_widget_add_css_class(GTK_WIDGET(self->next), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->next), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->next), _("Next field (N)"));
  g_signal_connect(self->next, "clicked", G_CALLBACK(on_next), self);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->next));
  gtk_widget_set_parent(box, GTK_WIDGET(self));
}
