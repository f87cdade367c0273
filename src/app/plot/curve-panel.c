/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve panel: tabs and plot. */
#include "app/plot/curve-panel.h"

#include "app/plot/chart-view.h"
#include "app/plot/curve-view.h"
#include "app/plot/section-view.h"
#include "app/plot/spectrum-view.h"
#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define SPECTRUM LAC_N_CURVES /* index of the spectrum tab, after the curve kinds */
#define PROFILE  (LAC_N_CURVES + 1)
#define N_TABS   (LAC_N_CURVES + 2)
#define CHARTS   N_TABS /* first index of the tabs for channels with curves */

struct _LacCurvePanel {
  GtkWidget        parent_instance;
  GtkWidget       *content, *head, *against;
  GtkStack        *plots;
  LacCurveView    *curves;
  LacSpectrumView *spectrum;
  LacChartView    *chart;
  LacSectionView  *section;
  GtkBox          *tabs;
  GPtrArray       *charts;         /* of GtkWidget: tab buttons of channels with curves */
  GArray          *chart_channels; /* of gsize: channel of each button in @charts */
  GtkToggleButton *against_step, *against_seconds;
  GtkWidget       *errors, *losses, *coefficients, *others, *spectra, *profiles;
  LacSession      *session;
  guint            tab;
};

G_DEFINE_FINAL_TYPE(LacCurvePanel, lac_curve_panel, GTK_TYPE_WIDGET)

enum { STEP_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *const tab_names[N_TABS] = {
  [LAC_CURVES_ERRORS] = "errors",
  [LAC_CURVES_LOSSES] = "losses",
  [LAC_CURVES_COEFFICIENTS] = "coefficients",
  [LAC_CURVES_OTHERS] = "others",
  [SPECTRUM] = "spectrum",
  [PROFILE] = "profile",
};

static GtkWidget *
get_button(LacCurvePanel *self, guint tab)
{
  GtkWidget *buttons[N_TABS] = {
    [LAC_CURVES_ERRORS] = self->errors,
    [LAC_CURVES_LOSSES] = self->losses,
    [LAC_CURVES_COEFFICIENTS] = self->coefficients,
    [LAC_CURVES_OTHERS] = self->others,
    [SPECTRUM] = self->spectra,
    [PROFILE] = self->profiles,
  };
  return buttons[tab];
}

static guint
count_metrics(LacCurvePanel *self, LacCurveKind kind)
{
  gsize            n;
  guint            count = 0;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  for (gsize i = 0; i < n; i++)
    count += lac_metric_kind(&metrics[i]) == kind;
  return count;
}

static const LacChannel *
get_chart(LacCurvePanel *self, guint tab)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  return &channels[g_array_index(self->chart_channels, gsize, tab - CHARTS)];
}

/* ---- tabs ---- */

static void
choose(LacCurvePanel *self, guint tab)
{
  self->tab = tab;
  gtk_stack_set_visible_child_name(self->plots, tab >= CHARTS     ? "chart"
                                                : tab == SPECTRUM ? "spectrum"
                                                : tab == PROFILE  ? "profile"
                                                                  : "curves");
  gtk_widget_set_visible(self->against, tab < SPECTRUM);
  if (tab >= CHARTS)
    lac_chart_view_set_channel(self->chart,
                               g_array_index(self->chart_channels, gsize, tab - CHARTS));
  else if (tab < SPECTRUM)
    lac_curve_view_set_kind(self->curves, (LacCurveKind) tab);
}

const char *
lac_curve_panel_get_tab(LacCurvePanel *self)
{
  g_return_val_if_fail(LAC_IS_CURVE_PANEL(self), NULL);
  return self->tab < N_TABS ? tab_names[self->tab] : get_chart(self, self->tab)->key;
}

static void
on_tab(GtkToggleButton *button, LacCurvePanel *self)
{
  guint chart;
  if (!gtk_toggle_button_get_active(button))
    return;
  for (guint i = 0; i < N_TABS; i++)
    if (get_button(self, i) == GTK_WIDGET(button))
      choose(self, i);
  if (g_ptr_array_find(self->charts, button, &chart))
    choose(self, CHARTS + chart);
  gtk_widget_activate_action(GTK_WIDGET(self), "win.curves", "s",
                             lac_curve_panel_get_tab(self)); /* for a UI recording */
}

static void
clear_charts(LacCurvePanel *self)
{
  for (guint i = 0; i < self->charts->len; i++)
    gtk_box_remove(self->tabs, self->charts->pdata[i]);
  g_ptr_array_set_size(self->charts, 0);
  g_array_set_size(self->chart_channels, 0);
}

/* Adds a tab button for each channel with curves, after the others. */
static void
add_charts(LacCurvePanel *self)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  for (gsize i = 0; i < n; i++) {
    if (channels[i].chart.n == 0)
      continue;
    const char *label = g_dgettext(GETTEXT_PACKAGE, channels[i].label);
    GtkWidget  *button = gtk_toggle_button_new_with_label(label);
    gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), GTK_TOGGLE_BUTTON(self->errors));
    gtk_widget_add_css_class(button, "small");
    lac_accessible_name(button, label);
    g_signal_connect(button, "toggled", G_CALLBACK(on_tab), self);
    gtk_box_append(self->tabs, button);
    g_ptr_array_add(self->charts, button);
    g_array_append_val(self->chart_channels, i);
  }
}

static void
on_axis(GtkToggleButton *button, LacCurvePanel *self)
{
  lac_curve_view_set_seconds(self->curves, gtk_toggle_button_get_active(self->against_seconds));
}

static gboolean
has_fields(LacCurvePanel *self)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  for (gsize i = 0; i < n; i++)
    if (channels[i].layers.n == 0 && channels[i].chart.n == 0)
      return TRUE;
  return FALSE;
}

static void
show_tabs(LacCurvePanel *self)
{
  guint first = N_TABS;
  for (guint i = 0; i < N_TABS; i++) {
    gboolean there =
      i == SPECTRUM || i == PROFILE ? has_fields(self) : count_metrics(self, (LacCurveKind) i) > 0;
    gtk_widget_set_visible(get_button(self, i), there);
    if (there && first == N_TABS)
      first = i;
  }
  if (first == N_TABS)
    first = LAC_CURVES_ERRORS;
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(get_button(self, first)), TRUE);
  choose(self, first);
}

/* ---- the object ---- */

static void
lac_curve_panel_dispose(GObject *object)
{
  LacCurvePanel *self = LAC_CURVE_PANEL(object);
  if (self->charts != NULL)
    clear_charts(self);
  g_clear_pointer(&self->charts, g_ptr_array_unref);
  g_clear_pointer(&self->chart_channels, g_array_unref);
  g_clear_object(&self->session);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_CURVE_PANEL);
  G_OBJECT_CLASS(lac_curve_panel_parent_class)->dispose(object);
}

static void
lac_curve_panel_class_init(LacCurvePanelClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_curve_panel_dispose;
  signals[STEP_CHOSEN] = g_signal_new("step-chosen", LAC_TYPE_CURVE_PANEL, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  g_type_ensure(LAC_TYPE_CURVE_VIEW);
  g_type_ensure(LAC_TYPE_SPECTRUM_VIEW);
  g_type_ensure(LAC_TYPE_CHART_VIEW);
  g_type_ensure(LAC_TYPE_SECTION_VIEW);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/plot/curve-panel.ui");
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, content);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, head);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, against);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, plots);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, curves);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, spectrum);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, chart);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, tabs);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, against_step);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, against_seconds);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, errors);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, losses);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, coefficients);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, others);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, spectra);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, profiles);
  gtk_widget_class_bind_template_child(widget_class, LacCurvePanel, section);
  gtk_widget_class_bind_template_callback(widget_class, on_axis);
  gtk_widget_class_bind_template_callback(widget_class, on_tab);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
name(GtkWidget *widget, const char *text)
{
  lac_accessible_name(widget, text);
}

static void
on_step(LacCurveView *curves, gint64 step, LacCurvePanel *self)
{
  g_signal_emit(self, signals[STEP_CHOSEN], 0, step);
}

static void
lac_curve_panel_init(LacCurvePanel *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->charts = g_ptr_array_new();
  self->chart_channels = g_array_new(FALSE, FALSE, sizeof(gsize));
  name(GTK_WIDGET(self->against_step), _("Curves against the step"));
  name(GTK_WIDGET(self->against_seconds), _("Curves against seconds"));
  name(self->errors, _("Curves of errors"));
  name(self->losses, _("Curves of losses"));
  name(self->coefficients, _("Curves of coefficients"));
  name(self->others, _("Other curves"));
  name(self->spectra, _("Spectrum"));
  name(self->profiles, _("Profile"));
  g_signal_connect(self->curves, "step-chosen", G_CALLBACK(on_step), self);
}

void
lac_curve_panel_set_session(LacCurvePanel *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_CURVE_PANEL(self));
  self->tab = LAC_CURVES_ERRORS;
  clear_charts(self);
  g_set_object(&self->session, session);
  lac_curve_view_set_session(self->curves, session);
  lac_spectrum_view_set_session(self->spectrum, session);
  lac_chart_view_set_session(self->chart, session);
  if (session == NULL)
    return;
  add_charts(self);
  show_tabs(self);
}

void
lac_curve_panel_set_frame(LacCurvePanel *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_CURVE_PANEL(self) && self->session != NULL);
  lac_curve_view_set_shown_step(self->curves, frame->step);
  lac_chart_view_set_frame(self->chart, frame);
}

void
lac_curve_panel_set_field(LacCurvePanel *self, LacFieldView *field)
{
  g_return_if_fail(LAC_IS_CURVE_PANEL(self));
  lac_section_view_attach(self->section, field);
  lac_spectrum_view_attach(self->spectrum, field);
}

LacCurveView *
lac_curve_panel_get_curves(LacCurvePanel *self)
{
  g_return_val_if_fail(LAC_IS_CURVE_PANEL(self), NULL);
  return self->curves;
}

void
lac_curve_panel_show_method(LacCurvePanel *self, const char *group, gboolean shown)
{
  const char *label;
  gsize       n, n_channels;
  g_return_if_fail(LAC_IS_CURVE_PANEL(self) && self->session != NULL && group != NULL);
  lac_curve_view_set_group_shown(self->curves, group, shown);
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n);
  const LacChannel *channels = lac_session_get_channels(self->session, &n_channels);
  const char       *method =
    g_dgettext(GETTEXT_PACKAGE, lac_metric_group_label(group, metrics, n, channels, n_channels));
  for (guint i = 0; (label = lac_spectrum_view_get_source(self->spectrum, i)) != NULL; i++)
    if (g_str_equal(label, method))
      lac_spectrum_view_set_shown(self->spectrum, i, shown);
  for (guint i = 0; (label = lac_section_view_get_source(self->section, i)) != NULL; i++)
    if (g_str_equal(label, method))
      lac_section_view_set_shown(self->section, i, shown);
}

gboolean
lac_curve_panel_show(LacCurvePanel *self, const char *tab)
{
  g_return_val_if_fail(LAC_IS_CURVE_PANEL(self) && tab != NULL, FALSE);
  for (guint i = 0; i < N_TABS; i++) {
    GtkWidget *button = get_button(self, i);
    if (g_str_equal(tab_names[i], tab) && gtk_widget_get_visible(button)) {
      gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
      return TRUE;
    }
  }
  for (guint i = 0; i < self->charts->len; i++)
    if (g_str_equal(get_chart(self, CHARTS + i)->key, tab)) {
      gtk_toggle_button_set_active(self->charts->pdata[i], TRUE);
      return TRUE;
    }
  return FALSE;
}

static void
add_tab(GStrvBuilder *tabs, GStrvBuilder *titles, const char *tab, gpointer button)
{
  g_strv_builder_add(tabs, tab);
  g_strv_builder_add(titles, gtk_button_get_label(button));
}

GStrv
lac_curve_panel_dup_tabs(LacCurvePanel *self, GStrv *titles)
{
  g_return_val_if_fail(LAC_IS_CURVE_PANEL(self) && titles != NULL, NULL);
  g_autoptr(GStrvBuilder) found = g_strv_builder_new(), named = g_strv_builder_new();
  for (guint i = 0; i < N_TABS; i++)
    if (gtk_widget_get_visible(get_button(self, i)))
      add_tab(found, named, tab_names[i], get_button(self, i));
  for (guint i = 0; i < self->charts->len; i++)
    add_tab(found, named, get_chart(self, CHARTS + i)->key, self->charts->pdata[i]);
  *titles = g_strv_builder_end(named);
  return g_strv_builder_end(found);
}

void
lac_curve_panel_set_head(LacCurvePanel *self, gboolean has_head)
{
  g_return_if_fail(LAC_IS_CURVE_PANEL(self));
  gtk_widget_set_visible(self->head, has_head);
}
