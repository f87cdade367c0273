/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy of a quantum run in words, and beside it the curve chosen. */
#include "app/live/energy-card.h"

#include "app/live/energy-curve.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "base/unit.h"
#include "report/text/metric-text.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define HEIGHT          212
#define COMPACT_HEIGHT  58
#define REFRESH_MS      250
#define MILLI           1e3
#define REFERENCE_ERROR 1e-5 /* Ha: digits of the reference */

enum { ENERGY, REFERENCE, CORRELATION, N_ROWS };

struct _LacEnergyCard {
  GtkWidget       parent_instance;
  GtkWidget      *box, *plot;
  GtkBox         *numbers;
  GtkGrid        *rows;
  GtkLabel       *caption, *answer, *note, *names[N_ROWS], *values[N_ROWS];
  GtkStack       *plots; /* the curve of the energy; the panel with all others */
  GtkDropDown    *choice;
  LacEnergyCurve *curve;
  LacCurvePanel  *panel; /* (nullable): borrowed while it is in the card */
  GStrv tabs; /* (nullable): those of the panel, in the order of the choice after the energy */
  LacSession *session;
  guint       refresh;
};

G_DEFINE_FINAL_TYPE(LacEnergyCard, lac_energy_card, GTK_TYPE_WIDGET)

static void
set_text(GtkLabel *label, const char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text) != 0)
    gtk_label_set_text(label, text);
}

/* Returns: (transfer full): "−76.4215(12) Ha", in the unit displayed. */
static char *
dup_energy(double energy, double error)
{
  const LacShown   shown = lac_shown("Ha");
  g_autofree char *number =
    lac_number_with_error_text(lac_shown_value(&shown, energy), error * shown.factor);
  return isfinite(energy) ? lac_text_with_unit(number, shown.unit) : g_strdup("–");
}

/* Returns: (transfer full): "17.4 ± 1.2 mHa". */
static char *
dup_above(double above, double error)
{
  g_autofree char *number = lac_number_plus_minus_text(MILLI * above, MILLI * error);
  return isfinite(above) ? lac_text_with_unit(number, "mHa") : g_strdup("–");
}

/* Shows an energy with its number large, and its error and unit smaller. */
static void
show_answer(LacEnergyCard *self, const char *text)
{
  const char      *rest = strstr(text, " ±");
  g_autofree char *number = rest != NULL ? g_strndup(text, (gsize) (rest - text)) : g_strdup(text);
  g_autofree char *markup =
    g_markup_printf_escaped("<span weight=\"ultrabold\">%s</span><span size=\"smaller\">%s</span>",
                            number, rest != NULL ? rest : "");
  if (g_strcmp0(gtk_label_get_label(self->answer), markup) != 0)
    gtk_label_set_markup(self->answer, markup);
}

static void
show_row(LacEnergyCard *self, int row, const char *text)
{
  gtk_widget_set_visible(GTK_WIDGET(self->names[row]), text != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->values[row]), text != NULL);
  if (text != NULL)
    set_text(self->values[row], text);
}

/* Returns: (transfer full) (nullable): the part of the correlation energy that is found, with its standard error. */
static char *
dup_correlation(LacSession *session, double energy, double error, double reference)
{
  double whole = lac_energy_find_hartree_fock(session) - reference;
  if (!isfinite(whole) || !isfinite(energy) || !(whole > 0))
    return NULL;
  g_autofree char *number =
    lac_number_with_error_text(100 * (1 - (energy - reference) / whole), 100 * error / whole);
  return lac_text_with_unit(number, "%");
}

static void
show(LacEnergyCard *self)
{
  double           reference, energy = lac_energy_get_last(self->session, "energy_hartree");
  double           error = lac_energy_get_last(self->session, "energy_standard_error_hartree");
  gboolean         has_reference = lac_energy_get_reference(self->session, &reference);
  g_autofree char *whole = dup_energy(energy, error);
  g_autofree char *above = dup_above(energy - reference, error);
  g_autofree char *of_reference = has_reference ? dup_energy(reference, REFERENCE_ERROR) : NULL;
  set_text(self->caption, has_reference ? _("above the reference") : _("energy"));
  show_answer(self, has_reference ? above : whole);
  show_row(self, ENERGY, has_reference ? whole : NULL);
  g_autofree char *correlation =
    has_reference ? dup_correlation(self->session, energy, error, reference) : NULL;
  show_row(self, REFERENCE, of_reference);
  show_row(self, CORRELATION, correlation);
  gtk_widget_queue_draw(GTK_WIDGET(self->curve));
}

static gboolean
on_refresh(gpointer user_data)
{
  LacEnergyCard *self = user_data;
  self->refresh = 0;
  show(self);
  return G_SOURCE_REMOVE;
}

static void
show_soon(LacEnergyCard *self)
{
  if (self->refresh == 0)
    self->refresh = g_timeout_add(REFRESH_MS, on_refresh, self);
}

static void
disconnect_session(LacEnergyCard *self)
{
  g_clear_handle_id(&self->refresh, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  lac_energy_curve_set_session(self->curve, NULL);
}

/* ---- the choice of the curve ---- */

/* Shows the curve of the energy, or that tab of the panel that is chosen. */
static void
on_choice(LacEnergyCard *self)
{
  guint chosen = gtk_drop_down_get_selected(self->choice);
  if (chosen == GTK_INVALID_LIST_POSITION)
    return;
  gtk_widget_set_visible(GTK_WIDGET(self->note), chosen == 0);
  if (chosen == 0 || self->panel == NULL) {
    gtk_stack_set_visible_child(self->plots, GTK_WIDGET(self->curve));
    return;
  }
  gtk_stack_set_visible_child(self->plots, GTK_WIDGET(self->panel));
  if (g_strcmp0(lac_curve_panel_get_tab(self->panel), self->tabs[chosen - 1]) != 0)
    lac_curve_panel_show(self->panel, self->tabs[chosen - 1]);
}

static void
list_choices(LacEnergyCard *self)
{
  double                   reference;
  g_auto(GStrv)            titles = NULL;
  g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
  g_clear_pointer(&self->tabs, g_strfreev);
  gtk_string_list_append(names, lac_energy_get_reference(self->session, &reference)
                                  ? _("Energy above the reference, mHa")
                                  : _("Energy relative to the last value, mHa"));
  if (self->panel != NULL)
    self->tabs = lac_curve_panel_dup_tabs(self->panel, &titles);
  for (gsize i = 0; titles != NULL && titles[i] != NULL; i++)
    gtk_string_list_append(names, titles[i]);
  gtk_drop_down_set_model(self->choice, G_LIST_MODEL(names));
  gtk_drop_down_set_selected(self->choice, 0);
}

static void
take_panel(LacEnergyCard *self, LacCurvePanel *panel)
{
  if (self->panel != NULL)
    gtk_stack_remove(self->plots, GTK_WIDGET(self->panel));
  self->panel = panel;
  if (panel != NULL)
    gtk_stack_add_child(self->plots, GTK_WIDGET(panel));
}

void
lac_energy_card_set_panel(LacEnergyCard *self, LacCurvePanel *panel)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  if (self->panel == panel)
    return;
  take_panel(self, panel);
  if (self->session != NULL)
    list_choices(self);
}

void
lac_energy_card_choose(LacEnergyCard *self, const char *tab)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self) && tab != NULL);
  for (guint i = 0; self->tabs != NULL && self->tabs[i] != NULL; i++)
    if (g_str_equal(self->tabs[i], tab))
      gtk_drop_down_set_selected(self->choice, i + 1);
}

void
lac_energy_card_set_session(LacEnergyCard *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  disconnect_session(self);
  gboolean has_energy = session != NULL && lac_energy_find_metric(session, "energy_hartree") >= 0;
  gtk_widget_set_visible(GTK_WIDGET(self), has_energy);
  if (!has_energy)
    return;
  self->session = g_object_ref(session);
  lac_energy_curve_set_session(self->curve, session);
  list_choices(self);
  g_signal_connect_object(session, "series-changed", G_CALLBACK(show_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(show_soon), self, G_CONNECT_SWAPPED);
  show(self);
}

void
lac_energy_card_set_compact(LacEnergyCard *self, gboolean is_compact)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  gtk_widget_set_visible(self->plot, !is_compact);
  gtk_widget_set_size_request(self->box, -1, is_compact ? COMPACT_HEIGHT : HEIGHT);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->numbers), is_compact
                                                                  ? GTK_ORIENTATION_HORIZONTAL
                                                                  : GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing(self->numbers, is_compact ? 18 : 6);
  gtk_grid_set_row_spacing(self->rows, is_compact ? 0 : 3);
}

void
lac_energy_card_set_step(LacEnergyCard *self, gint64 step)
{
  g_return_if_fail(LAC_IS_ENERGY_CARD(self));
  lac_energy_curve_set_step(self->curve, step);
}

/* ---- the object ---- */

static void
lac_energy_card_dispose(GObject *object)
{
  LacEnergyCard *self = LAC_ENERGY_CARD(object);
  if (self->box != NULL) {
    disconnect_session(self);
    gtk_widget_unparent(self->box);
  }
  self->box = NULL;
  self->panel = NULL;
  g_clear_pointer(&self->tabs, g_strfreev);
  G_OBJECT_CLASS(lac_energy_card_parent_class)->dispose(object);
}

static void
lac_energy_card_class_init(LacEnergyCardClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_energy_card_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
make_label(const char *text, const char *css, float xalign)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), xalign);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(label, css);
  return GTK_LABEL(label);
}

static GtkWidget *
make_numbers(LacEnergyCard *self)
{
  static const char *const names[N_ROWS] = {N_("Energy"), N_("Reference"),
                                            N_("Correlation energy")};
  GtkWidget               *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *grid = gtk_grid_new();
  GtkWidget               *answer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
  self->caption = make_label(NULL, "dim-label", 0);
  self->answer = make_label(NULL, "title-1", 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->answer), "numeric");
  gtk_label_set_ellipsize(self->answer, PANGO_ELLIPSIZE_NONE);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 3);
  for (int i = 0; i < N_ROWS; i++) {
    self->names[i] = make_label(_(names[i]), "dim-label", 0);
    self->values[i] = make_label(NULL, "numeric", 0);
    gtk_label_set_ellipsize(self->values[i], PANGO_ELLIPSIZE_NONE);
    gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(self->names[i]), 0, i, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(self->values[i]), 1, i, 1, 1);
  }
  gtk_box_append(GTK_BOX(answer), GTK_WIDGET(self->caption));
  gtk_box_append(GTK_BOX(answer), GTK_WIDGET(self->answer));
  gtk_box_append(GTK_BOX(box), answer);
  gtk_box_append(GTK_BOX(box), grid);
  gtk_widget_set_valign(answer, GTK_ALIGN_CENTER);
  self->numbers = GTK_BOX(box);
  self->rows = GTK_GRID(grid);
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  return box;
}

static void
on_unit(GtkWidget *widget)
{
  if (LAC_ENERGY_CARD(widget)->session != NULL)
    show(LAC_ENERGY_CARD(widget));
}

/* Returns: the curves at the right, below their choice. */
static GtkWidget *
make_plot(LacEnergyCard *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *top = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->choice = GTK_DROP_DOWN(gtk_drop_down_new(NULL, NULL));
  self->curve = g_object_new(LAC_TYPE_ENERGY_CURVE, NULL);
  self->plots = GTK_STACK(gtk_stack_new());
  self->note = make_label(_("grey: measured, ± 2 σ"), "caption", 1);
  gtk_widget_add_css_class(GTK_WIDGET(self->choice), "small");
  lac_accessible_name_drop_down(self->choice, _("Curve"));
  gtk_widget_add_css_class(GTK_WIDGET(self->note), "dim-label");
  gtk_widget_set_hexpand(GTK_WIDGET(self->note), TRUE);
  gtk_widget_set_vexpand(GTK_WIDGET(self->plots), TRUE);
  gtk_widget_set_hexpand(box, TRUE);
  gtk_stack_add_child(self->plots, GTK_WIDGET(self->curve));
  gtk_box_append(GTK_BOX(top), GTK_WIDGET(self->choice));
  gtk_box_append(GTK_BOX(top), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(box), top);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->plots));
  gtk_widget_set_margin_top(box, 9);
  gtk_widget_set_margin_bottom(box, 3);
  gtk_widget_set_margin_end(box, 9);
  g_signal_connect_swapped(self->choice, "notify::selected", G_CALLBACK(on_choice), self);
  return box;
}

static void
lac_energy_card_init(LacEnergyCard *self)
{
  GtkWidget *numbers = make_numbers(self);
  self->plot = make_plot(self);
  self->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 18);
  gtk_widget_set_margin_start(numbers, 18);
  gtk_box_append(GTK_BOX(self->box), numbers);
  gtk_box_append(GTK_BOX(self->box), self->plot);
  gtk_widget_add_css_class(self->box, "card");
  gtk_widget_set_size_request(self->box, -1, HEIGHT);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}
