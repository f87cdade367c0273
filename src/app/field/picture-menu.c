/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/field/picture-menu.h"

#include "app/field/flow.h"
#include "app/field/limits-view.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- the popover ---- */

#define PERCENTILE 0.01 /* share of the values excluded at each end */

struct _LacPictureMenu {
  GtkWidget        parent_instance;
  GtkMenuButton   *button;
  GtkPopover      *popover;
  GtkToggleButton *of_values, *of_errors;
  LacLimitsView   *limits;
  GtkEntry        *ends[2]; /* the limits as numbers: lower, upper */
  GtkCheckButton  *one_scale;
  GtkLabel        *counts, *warning;
  GtkDropDown     *transfer, *map;
  GtkWidget       *flow;  /* requires a velocity */
  GtkWidget       *forms; /* forms of the error */
  GtkStack        *last;  /* shows one of the two: the smallest window has no room for both */
  LacFieldView    *view;
  gboolean         is_filling;
};

G_DEFINE_FINAL_TYPE(LacPictureMenu, lac_picture_menu, GTK_TYPE_WIDGET)

/* Keys as in lac_colour_maps(). */
static const struct {
  const char *kind, *label;
} kinds[] = {
  {"sequential", N_("sequential")},
  {"diverging", N_("diverging")},
  {"cyclic", N_("cyclic")},
  {"legacy", N_("legacy")},
};

static const char *
label_of(const LacColourMap *map)
{
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_str_equal(map->kind, kinds[i].kind))
      return _(kinds[i].label);
  g_return_val_if_reached(map->kind);
}

static const char *const transfer_labels[LAC_N_TRANSFERS] = {
  N_("Linear"), N_("Logarithmic"), N_("Symmetric logarithmic"), N_("Asinh"), N_("Square root"),
};

/* Forms of the error. */
static const struct {
  const char *label, *name;
} forms[LAC_N_ERROR_FORMS] = {
  [LAC_ERRORS_SIGNED] = {"± e", N_("Signed error")},
  [LAC_ERRORS_ABSOLUTE] = {"|e|", N_("Absolute error")},
  [LAC_ERRORS_RELATIVE] = {"%", N_("Absolute error in % of the frame's largest true value")},
  [LAC_ERRORS_LOG] = {"log₁₀ |e|", N_("Decimal logarithm of the absolute error")},
};

/* Sets the limits: "auto", "all", "percentile" (of the values shown now). @of_errors: of the error scale */
void
lac_field_view_set_limits_by_word(LacFieldView *view, gboolean of_errors, const char *word)
{
  LacScale limits;
  g_return_if_fail(LAC_IS_FIELD_VIEW(view) && word != NULL);
  double share = g_str_equal(word, "percentile") ? PERCENTILE : 0;
  if (g_str_equal(word, "auto"))
    lac_field_view_set_limits(view, of_errors, NULL);
  else if (lac_field_scene_find_limits(lac_field_view_get_scene(view), of_errors, share, &limits))
    lac_field_view_set_limits(view, of_errors, &limits);
}

static gboolean
of_errors(LacPictureMenu *self)
{
  return gtk_toggle_button_get_active(self->of_errors);
}

/* ---- updating ---- */

static void
count(LacPictureMenu *self)
{
  LacClipped clipped =
    lac_field_scene_count_clipped(lac_field_view_get_scene(self->view), of_errors(self));
  g_autofree char *below = lac_format_count(clipped.n_below);
  g_autofree char *above = lac_format_count(clipped.n_above);
  g_autofree char *without = lac_format_count(clipped.n_not_finite);
  g_autofree char *all = lac_format_count(clipped.n);
  /* Translators: cells of the fields whose values lie outside the limits of the scale. */
  g_autofree char *text =
    g_strdup_printf(_("Below %s · above %s · no value %s of %s cells"), below, above, without, all);
  gtk_label_set_text(self->counts, text);
}

/* Shows the limits as numbers, except while they are typed. */
static void
show_ends(LacPictureMenu *self, const LacScaleView *view)
{
  const double ends[2] = {view->scale.low, view->scale.high};
  for (gsize i = 0; i < 2; i++) {
    g_autofree char *text = lac_number_text(ends[i]);
    gtk_widget_remove_css_class(GTK_WIDGET(self->ends[i]), "error");
    if (!(gtk_widget_get_state_flags(GTK_WIDGET(self->ends[i])) & GTK_STATE_FLAG_FOCUS_WITHIN))
      gtk_editable_set_text(GTK_EDITABLE(self->ends[i]), text);
  }
}

static void
fill(LacPictureMenu *self)
{
  LacScaleView view;
  if (self->view == NULL || !gtk_widget_get_mapped(GTK_WIDGET(self->popover)))
    return;
  const LacFieldScene *scene = lac_field_view_get_scene(self->view);
  self->is_filling = TRUE;
  gboolean has_errors = lac_field_scene_get_scale(scene, TRUE, &view);
  gboolean has_values = lac_field_scene_get_scale(scene, FALSE, &view);
  gtk_widget_set_sensitive(GTK_WIDGET(self->of_errors), has_errors);
  gtk_widget_set_sensitive(GTK_WIDGET(self->of_values), has_values);
  if (!has_values && has_errors)
    gtk_toggle_button_set_active(self->of_errors, TRUE);
  if (!has_errors)
    gtk_toggle_button_set_active(self->of_values, TRUE);
  gtk_widget_set_sensitive(self->flow, lac_field_flow_is_there(scene));
  gtk_stack_set_visible_child(self->last, of_errors(self) ? self->forms : self->flow);
  if (lac_field_scene_get_scale(scene, of_errors(self), &view)) {
    const LacScaleChoice *choice = lac_field_scene_get_choice(scene, of_errors(self));
    const char           *warning = lac_colour_map_warning(view.map);
    gsize                 n;
    guint                 chosen = 0;
    gtk_drop_down_set_selected(self->transfer, view.transfer);
    for (gsize i = 0; choice->map != NULL && lac_colour_maps(&n) != NULL && i < n; i++)
      if (&lac_colour_maps(&n)[i] == choice->map)
        chosen = (guint) i + 1;
    gtk_drop_down_set_selected(self->map, chosen);
    gtk_label_set_text(self->warning, warning != NULL ? _(warning) : "");
    gtk_widget_set_visible(GTK_WIDGET(self->warning), warning != NULL);
  }
  if (lac_field_scene_get_scale(scene, of_errors(self), &view))
    show_ends(self, &view);
  gtk_check_button_set_active(self->one_scale, scene->one_scale);
  lac_limits_view_show(self->limits, self->view, of_errors(self));
  count(self);
  self->is_filling = FALSE;
}

/* ---- handlers ---- */

static void
on_which(GtkToggleButton *button, LacPictureMenu *self)
{
  if (gtk_toggle_button_get_active(button) && !self->is_filling)
    fill(self);
}

static void
on_limits(LacLimitsView *limits, LacPictureMenu *self)
{
  LacScale scale = lac_limits_view_get_limits(limits);
  lac_field_view_set_limits(self->view, of_errors(self), &scale);
}

/* Returns: FALSE if @entry holds no number. */
static gboolean
read_end(GtkEntry *entry, double *value)
{
  g_autofree char *text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(entry)));
  g_auto(GStrv)    signs = g_strsplit(g_strdelimit(text, ",", '.'), "−", -1);
  g_autofree char *plain = g_strjoinv("-", signs);
  char            *end = NULL;
  *value = g_ascii_strtod(g_strstrip(plain), &end);
  gboolean is_number = end != plain && *end == '\0' && isfinite(*value);
  if (is_number)
    gtk_widget_remove_css_class(GTK_WIDGET(entry), "error");
  else
    gtk_widget_add_css_class(GTK_WIDGET(entry), "error");
  return is_number;
}

static void
on_end(GtkEntry *entry, LacPictureMenu *self)
{
  LacScaleView view;
  LacScale     limits;
  if (!read_end(self->ends[0], &limits.low) || !read_end(self->ends[1], &limits.high))
    return;
  if (!lac_field_scene_get_scale(lac_field_view_get_scene(self->view), of_errors(self), &view))
    return;
  if (view.symmetric && entry == self->ends[0])
    limits.high = -limits.low;
  else if (view.symmetric)
    limits.low = -limits.high;
  if (!(limits.high > limits.low)) {
    gtk_widget_add_css_class(GTK_WIDGET(entry), "error");
    return;
  }
  lac_field_view_set_limits(self->view, of_errors(self), &limits);
}

static void
on_one_scale(GtkCheckButton *check, LacPictureMenu *self)
{
  if (!self->is_filling)
    lac_field_view_set_one_scale(self->view, gtk_check_button_get_active(check));
}

static void
on_limits_button(GtkButton *button, LacPictureMenu *self)
{
  lac_field_view_set_limits_by_word(self->view, of_errors(self),
                                    g_object_get_data(G_OBJECT(button), "word"));
}

static void
on_transfer(GtkDropDown *drop, GParamSpec *pspec, LacPictureMenu *self)
{
  if (!self->is_filling)
    lac_field_view_set_transfer(self->view, of_errors(self),
                                (LacTransfer) gtk_drop_down_get_selected(drop));
}

static void
on_map(GtkDropDown *drop, GParamSpec *pspec, LacPictureMenu *self)
{
  gsize               n;
  const LacColourMap *maps = lac_colour_maps(&n);
  guint               chosen = gtk_drop_down_get_selected(drop);
  if (!self->is_filling && chosen <= n)
    lac_field_view_set_map(self->view, of_errors(self), chosen > 0 ? &maps[chosen - 1] : NULL);
}

/* ---- construction ---- */

static void
name(GtkWidget *widget, const char *label)
{
  lac_accessible_name(widget, label);
}

static GtkToggleButton *
add_which(LacPictureMenu *self, GtkWidget *box, const char *label, GtkToggleButton *group)
{
  GtkWidget *button = gtk_toggle_button_new_with_label(label);
  gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), group);
  gtk_widget_set_hexpand(button, TRUE);
  name(button, label);
  g_signal_connect(button, "toggled", G_CALLBACK(on_which), self);
  gtk_box_append(GTK_BOX(box), button);
  return GTK_TOGGLE_BUTTON(button);
}

static void
add_limits_button(LacPictureMenu *self, GtkWidget *box, const char *word, const char *texts[2])
{
  GtkWidget *button = gtk_button_new_with_label(texts[0]);
  g_object_set_data(G_OBJECT(button), "word", (gpointer) word);
  gtk_widget_set_tooltip_text(button, texts[1]);
  gtk_widget_set_hexpand(button, TRUE);
  name(button, texts[0]);
  g_signal_connect(button, "clicked", G_CALLBACK(on_limits_button), self);
  gtk_box_append(GTK_BOX(box), button);
}

/* The tooltip names it: the smallest window has no room for labels. */
static GtkDropDown *
add_choice(GtkWidget *row, const char *label, GtkStringList *choices)
{
  GtkWidget *drop = gtk_drop_down_new(G_LIST_MODEL(choices), NULL);
  gtk_widget_set_hexpand(drop, TRUE);
  gtk_widget_set_tooltip_text(drop, label);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(drop), label);
  gtk_box_append(GTK_BOX(row), drop);
  return GTK_DROP_DOWN(drop);
}

static void
add_check(GtkWidget *box, const char *label, const char *action, const char *tip)
{
  GtkWidget *check = gtk_check_button_new_with_label(label);
  gtk_widget_set_tooltip_text(check, tip);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(check), action);
  name(check, label);
  gtk_box_append(GTK_BOX(box), check);
}

/* Adds the limits as numbers: the histogram shows and drags the same. */
static void
add_ends(LacPictureMenu *self, GtkWidget *box)
{
  const char *const names[2] = {_("Lower limit"), _("Upper limit")};
  GtkWidget        *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  for (gsize i = 0; i < 2; i++) {
    GtkWidget *entry = gtk_entry_new();
    self->ends[i] = GTK_ENTRY(entry);
    gtk_editable_set_width_chars(GTK_EDITABLE(entry), 8);
    gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), 8);
    gtk_widget_set_hexpand(entry, TRUE);
    gtk_widget_set_tooltip_text(entry, names[i]);
    gtk_widget_add_css_class(entry, "small");
    gtk_widget_add_css_class(entry, "numeric");
    name(entry, names[i]);
    g_signal_connect(entry, "activate", G_CALLBACK(on_end), self);
    gtk_box_append(GTK_BOX(row), entry);
  }
  gtk_box_append(GTK_BOX(box), row);
}

static void
add_scale(LacPictureMenu *self, GtkWidget *box)
{
  GtkWidget *which = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(which, "linked");
  gtk_widget_add_css_class(buttons, "linked");
  self->of_values = add_which(self, which, _("Value Scale"), NULL);
  self->of_errors = add_which(self, which, _("Error Scale"), self->of_values);
  gtk_toggle_button_set_active(self->of_values, TRUE);
  self->limits =
    g_object_new(LAC_TYPE_LIMITS_VIEW, "width-request", 300, "height-request", 84, NULL);
  self->counts = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_add_css_class(GTK_WIDGET(self->counts), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->counts), "numeric");
  gtk_label_set_xalign(self->counts, 0);
  add_limits_button(
    self, buttons, "auto",
    (const char *[]){_("Automatic"), _("Range of the truth, or the largest error")});
  add_limits_button(self, buttons, "all",
                    (const char *[]){_("All"), _("Lock to the smallest and largest value shown")});
  add_limits_button(self, buttons, "percentile",
                    (const char *[]){_("1–99 %"), _("Lock to the 1st and 99th percentiles")});
  gtk_box_append(GTK_BOX(box), which);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->limits));
  add_ends(self, box);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->counts));
  gtk_box_append(GTK_BOX(box), buttons);
}

static void
add_choices(LacPictureMenu *self, GtkWidget *box)
{
  g_autoptr(GtkStringList) transfers = gtk_string_list_new(NULL);
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  gsize                    n;
  const LacColourMap      *maps = lac_colour_maps(&n);
  for (guint i = 0; i < LAC_N_TRANSFERS; i++)
    gtk_string_list_append(transfers, _(transfer_labels[i]));
  gtk_string_list_append(names, _("Field default"));
  for (gsize i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf("%s · %s", maps[i].name, label_of(&maps[i]));
    gtk_string_list_append(names, text);
  }
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->transfer = add_choice(row, _("Scale"), g_object_ref(transfers));
  self->map = add_choice(row, _("Colours"), g_object_ref(names));
  gtk_box_append(GTK_BOX(box), row);
  g_signal_connect(self->transfer, "notify::selected", G_CALLBACK(on_transfer), self);
  g_signal_connect(self->map, "notify::selected", G_CALLBACK(on_map), self);
  self->warning = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(self->warning, TRUE);
  gtk_label_set_xalign(self->warning, 0);
  gtk_label_set_max_width_chars(self->warning, 34);
  gtk_widget_add_css_class(GTK_WIDGET(self->warning), "warning");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->warning));
}

static void
add_forms(LacPictureMenu *self)
{
  self->forms = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(self->forms, "linked");
  for (LacErrorForm form = 0; form < LAC_N_ERROR_FORMS; form++) {
    GtkWidget *button = gtk_toggle_button_new_with_label(forms[form].label);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", lac_error_form_word(form));
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.errors-as");
    gtk_widget_set_tooltip_text(button, _(forms[form].name));
    gtk_widget_set_hexpand(button, TRUE);
    gtk_widget_add_css_class(button, "small");
    name(button, _(forms[form].name));
    gtk_box_append(GTK_BOX(self->forms), button);
  }
  self->one_scale = GTK_CHECK_BUTTON(gtk_check_button_new_with_label(_("One scale")));
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->one_scale),
                              _("Show the errors of all methods on one scale"));
  gtk_widget_set_margin_start(GTK_WIDGET(self->one_scale), 6);
  name(GTK_WIDGET(self->one_scale), _("One scale"));
  g_signal_connect(self->one_scale, "toggled", G_CALLBACK(on_one_scale), self);
  gtk_box_append(GTK_BOX(self->forms), GTK_WIDGET(self->one_scale));
  gtk_widget_set_valign(self->forms, GTK_ALIGN_CENTER);
  gtk_stack_add_child(self->last, self->forms);
}

static void
add_overlays(LacPictureMenu *self, GtkWidget *box)
{
  GtkWidget *over = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->flow = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  add_check(over, _("Smooth"), "win.smooth",
            _("Interpolate between cells; off shows the cell values"));
  add_check(over, _("Isolines"), "win.isolines", NULL);
  add_check(over, _("Axes"), "win.axes", NULL);
  add_check(self->flow, _("Arrows"), "win.arrows", NULL);
  add_check(self->flow, _("Streamlines"), "win.streamlines", NULL);
  add_check(self->flow, _("Flow texture"), "win.flow-texture", NULL);
  gtk_widget_set_tooltip_text(
    self->flow, _("Needs a velocity field; the texture appears while no new frames arrive"));
  gtk_box_append(GTK_BOX(box), over);
  self->last = GTK_STACK(gtk_stack_new());
  gtk_stack_add_child(self->last, self->flow);
  add_forms(self);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->last));
}

static void
lac_picture_menu_dispose(GObject *object)
{
  LacPictureMenu *self = LAC_PICTURE_MENU(object);
  self->view = NULL; /* the view may be destroyed already */
  if (self->button != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->button));
  self->button = NULL;
  self->popover = NULL;
  G_OBJECT_CLASS(lac_picture_menu_parent_class)->dispose(object);
}

static void
lac_picture_menu_class_init(LacPictureMenuClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_picture_menu_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_picture_menu_init(LacPictureMenu *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  add_scale(self, box);
  add_choices(self, box);
  add_overlays(self, box);
  self->popover = GTK_POPOVER(gtk_popover_new());
  gtk_popover_set_child(self->popover, box);
  name(GTK_WIDGET(self->popover), _("Scale, colours and overlays of the fields"));
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_menu_button_set_icon_name(self->button, "applications-graphics-symbolic");
  gtk_menu_button_set_popover(self->button, GTK_WIDGET(self->popover));
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button),
                              _("Scale, colours and overlays of the fields"));
  name(GTK_WIDGET(self->button), _("Picture"));
  gtk_widget_set_parent(GTK_WIDGET(self->button), GTK_WIDGET(self));
  g_signal_connect_swapped(self->popover, "map", G_CALLBACK(fill), self);
}

void
lac_picture_menu_attach(LacPictureMenu *self, LacFieldView *view)
{
  g_return_if_fail(LAC_IS_PICTURE_MENU(self) && LAC_IS_FIELD_VIEW(view) && self->view == NULL);
  self->view = view;
  g_signal_connect(self->limits, "limits-dragged", G_CALLBACK(on_limits), self);
  g_signal_connect_object(view, "picture-changed", G_CALLBACK(fill), self, G_CONNECT_SWAPPED);
}
