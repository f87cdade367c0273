/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/exposures.h"

#include "app/field/view.h"
#include "report/text/metric-text.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

enum { K_PLANE, DETECTOR, COVERAGE, N_PICTURES };

/* clang-format off */
static const struct {
  const char *quantity, *caption;
  guint       source; /* shown, of the sources followed by the true field */
} pictures[N_PICTURES] = {
  [K_PLANE]  = {"k_plane", N_("k-plane with apertures"), 0},
  [DETECTOR] = {"detector", N_("detector"), 0},
  [COVERAGE] = {"coverage", N_("visits per place"), 0},
};
/* clang-format on */

struct _LacExposures {
  GtkWidget     parent_instance;
  GtkWidget    *box;
  GtkLabel     *title, *numbers;
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

/* Returns: (transfer full): "overlap 64 %   coverage 100 %", as far as the run has them. */
static char *
dup_numbers(LacSession *session)
{
  static const struct {
    const char *key, *label;
  } wanted[] = {{"overlap_percent", N_("overlap")}, {"coverage_percent", N_("coverage")}};
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(session, &n);
  g_autofree double *values = g_new(double, n + 1);
  GString           *words = g_string_new(NULL);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(session, i);
  for (gsize k = 0; k < G_N_ELEMENTS(wanted); k++)
    for (gsize i = 0; i < n; i++) {
      if (!g_str_equal(metrics[i].key, wanted[k].key))
        continue;
      g_autofree char *text = lac_metric_text(metrics, values, n, i);
      g_string_append_printf(words, "%s%s %s", words->len > 0 ? " · " : "", _(wanted[k].label),
                             text);
    }
  return g_string_free(words, FALSE);
}

void
lac_exposures_set_session(LacExposures *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_EXPOSURES(self));
  gsize             n = 0;
  const LacChannel *channels = session != NULL ? lac_session_get_channels(session, &n) : NULL;
  gboolean          is_whole = session != NULL;
  for (int i = 0; i < N_PICTURES; i++) {
    lac_field_view_set_channels(self->views[i], channels, n);
    is_whole &= choose(self->views[i], pictures[i].quantity);
  }
  if (!is_whole)
    session = NULL;
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
  g_autofree char *numbers = dup_numbers(self->session);
  for (int i = 0; i < N_PICTURES; i++)
    lac_field_view_set_frame(self->views[i], frame);
  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->numbers, numbers);
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
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->title = add_label(self->box, NULL, "heading");
  gtk_box_append(GTK_BOX(self->box), make_picture(self, K_PLANE, 240));
  self->numbers = add_label(self->box, NULL, "caption");
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
