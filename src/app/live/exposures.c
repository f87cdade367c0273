/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/exposures.h"

#include "app/field/view.h"
#include "app/live/setting.h"
#include "base/number-display.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <math.h>

#define NO_MARKERS (-1)

enum { K_PLANE, DETECTOR, COVERAGE, N_PICTURES };

/* clang-format off */
static const struct {
  const char *quantity, *caption;
  guint       source; /* shown, of the sources followed by the true field */
} pictures[N_PICTURES] = {
  [K_PLANE]  = {"k_plane", N_("k-plane with apertures"), 0},
  [DETECTOR] = {"detector", N_("measured"), 0},
  [COVERAGE] = {"coverage", N_("visits per place"), 0},
};
/* clang-format on */

struct _LacExposures {
  GtkWidget     parent_instance;
  GtkWidget    *box;
  GtkLabel     *title, *overlap, *coverage, *detector;
  LacFieldView *views[N_PICTURES];
  LacSession   *session;
};

G_DEFINE_FINAL_TYPE(LacExposures, lac_exposures, GTK_TYPE_WIDGET)

static gboolean
choose(LacFieldView *view, const char *quantity)
{
  const LacFieldScene *scene = lac_field_view_get_scene(view);
  for (guint i = 0; i < scene->n_quantities; i++)
    if (g_str_equal(scene->quantities[i], quantity)) {
      lac_field_view_set_quantity(view, i);
      lac_field_view_set_mode(view, LAC_VIEW_LARGE);
      return TRUE;
    }
  return FALSE;
}

static guint
count_apertures(const LacFrame *frame)
{
  guint n = 0;
  for (gsize i = 0; i < frame->n_markers; i++)
    n += g_strcmp0(frame->markers[i].kind, "aperture") == 0;
  return n;
}

/* Returns: the exposure that the frame shows, counted from 1; 0: unknown */
static guint
find_exposure(const LacFrame *frame)
{
  const LacMarker *selected = NULL;
  guint            n = 0;
  for (gsize i = 0; i < frame->n_markers; i++)
    if (g_strcmp0(frame->markers[i].kind, "selected") == 0)
      selected = &frame->markers[i];
  for (gsize i = 0; selected != NULL && i < frame->n_markers; i++) {
    const LacMarker *marker = &frame->markers[i];
    n += g_strcmp0(marker->kind, "aperture") == 0;
    if (marker != selected && marker->x == selected->x && marker->y == selected->y)
      return n;
  }
  return 0;
}

static gssize
find_metric(LacSession *session, const char *key)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(session, &n);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(metrics[i].key, key))
      return (gssize) i;
  return -1;
}

/* Returns: (transfer full): "overlap 64 %", as far as the run has it. */
static char *
dup_number(LacSession *session, const char *key, const char *name)
{
  gssize metric = find_metric(session, key);
  double value = metric >= 0 ? lac_session_get_last(session, (gsize) metric) : (double) NAN;
  if (!isfinite(value))
    return g_strdup("");
  g_autofree char *number = lac_number_dup_fixed(value, 0);
  return g_strdup_printf("%s %s %%", name, number);
}

void
lac_exposures_set_session(LacExposures *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_EXPOSURES(self));
  gsize             n = 0;
  const LacChannel *channels = session != NULL ? lac_session_get_channels(session, &n) : NULL;
  gboolean          is_whole = session != NULL;
  for (int i = 0; i < N_PICTURES; i++) {
    lac_field_view_set_channels(self->views[i], channels, n);
    lac_field_view_set_marker_radius(self->views[i], NO_MARKERS);
    is_whole &= choose(self->views[i], pictures[i].quantity);
  }
  if (!is_whole)
    session = NULL;
  double diameter =
    session != NULL ? lac_live_setting_get_number(session, draft, "diameter") : (double) NAN;
  lac_field_view_set_marker_radius(self->views[K_PLANE], isfinite(diameter) ? diameter / 2 : 0);
  g_set_object(&self->session, session);
  gtk_widget_set_visible(GTK_WIDGET(self), is_whole);
}

void
lac_exposures_set_frame(LacExposures *self, LacFrame *frame)
{
  g_return_if_fail(LAC_IS_EXPOSURES(self) && frame != NULL);
  if (self->session == NULL)
    return;
  guint            n = count_apertures(frame);
  g_autofree char *title =
    g_strdup_printf(ngettext("%u aperture in the k-plane", "%u apertures in the k-plane", n), n);
  guint            shown = find_exposure(frame);
  g_autofree char *detector = shown > 0
                                ? g_strdup_printf(_("Detector, exposure %u of %u"), shown, n)
                                : g_strdup(_("Detector"));
  g_autofree char *overlap = dup_number(self->session, "overlap_percent", _("overlap"));
  g_autofree char *coverage = dup_number(self->session, "coverage_percent", _("coverage"));
  for (int i = 0; i < N_PICTURES; i++)
    lac_field_view_set_frame(self->views[i], frame);
  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->detector, detector);
  gtk_label_set_text(self->overlap, overlap);
  gtk_label_set_text(self->coverage, coverage);
}

static void
lac_exposures_dispose(GObject *object)
{
  LacExposures *self = LAC_EXPOSURES(object);
  g_clear_object(&self->session);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_exposures_parent_class)->dispose(object);
}

static void
lac_exposures_class_init(LacExposuresClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_exposures_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
add_label(GtkWidget *box, const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, css);
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static GtkWidget *
make_picture(LacExposures *self, int picture, int side)
{
  GtkWidget *view = g_object_new(LAC_TYPE_FIELD_VIEW, NULL);
  self->views[picture] = LAC_FIELD_VIEW(view);
  lac_field_view_set_bare(self->views[picture], TRUE);
  lac_field_view_set_probing(self->views[picture], FALSE);
  gtk_widget_set_size_request(view, side, side);
  gtk_widget_set_focusable(view, FALSE);
  return view;
}

static void
lac_exposures_init(LacExposures *self)
{
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *numbers = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->title = add_label(self->box, NULL, "heading");
  gtk_box_append(GTK_BOX(self->box), make_picture(self, K_PLANE, 240));
  gtk_box_append(GTK_BOX(self->box), numbers);
  self->overlap = add_label(numbers, NULL, "caption");
  self->coverage = add_label(numbers, NULL, "caption");
  gtk_widget_set_hexpand(GTK_WIDGET(self->overlap), TRUE);
  self->detector = add_label(self->box, NULL, "heading");
  gtk_widget_set_margin_top(GTK_WIDGET(self->detector), 9);
  for (int i = DETECTOR; i <= COVERAGE; i++) {
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    gtk_box_append(GTK_BOX(column), make_picture(self, i, 117));
    add_label(column, _(pictures[i].caption), "caption");
    gtk_box_append(GTK_BOX(both), column);
  }
  gtk_box_append(GTK_BOX(self->box), both);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}
