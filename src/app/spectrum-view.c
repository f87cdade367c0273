/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra as a drawing list of report/spectra.h, anew at most as often as leaves nine tenths of the time free. */
#include "app/spectrum-view.h"

#include "app/gsk-painter.h"
#include "app/style.h"
#include "base/clock.h"
#include "report/spectra.h"

#include <glib/gi18n-lib.h>

#define FONT        11.0
#define MAX_SOURCES 16
#define REST        9 /* times what the last computation took */

struct _LacSpectrumView {
  GtkWidget   parent_instance;
  LacSession *session;
  LacFrame   *frame; /* what @spectra are of */
  LacSpectra *spectra;
  guint       n_sources;
  gboolean    hidden[MAX_SOURCES];
  gint64      not_before_ns;
  guint       later;
};

G_DEFINE_FINAL_TYPE(LacSpectrumView, lac_spectrum_view, GTK_TYPE_WIDGET)

enum { SOURCES_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void compute(LacSpectrumView *self);

static gboolean
on_later(gpointer user_data)
{
  LacSpectrumView *self = user_data;
  self->later = 0;
  compute(self);
  return G_SOURCE_REMOVE;
}

static void
count_sources(LacSpectrumView *self)
{
  guint before = self->n_sources;
  self->n_sources = 0;
  for (gsize i = 0; self->spectra != NULL && i < self->spectra->n_spectra; i++)
    self->n_sources = MAX(self->n_sources, (guint) self->spectra->spectra[i].source + 1);
  self->n_sources = MIN(self->n_sources, MAX_SOURCES);
  if (self->n_sources != before)
    g_signal_emit(self, signals[SOURCES_CHANGED], 0);
}

static void
compute(LacSpectrumView *self)
{
  LacFrame *frame = self->session != NULL ? lac_session_get_frame(self->session) : NULL;
  if (frame == NULL || frame == self->frame || !gtk_widget_get_mapped(GTK_WIDGET(self)))
    return;
  gint64 now = lac_clock_ns();
  if (now < self->not_before_ns) {
    if (self->later == 0)
      self->later =
        g_timeout_add((guint) ((self->not_before_ns - now) / 1000000 + 1), on_later, self);
    return;
  }
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  g_clear_pointer(&self->spectra, lac_spectra_free);
  g_clear_pointer(&self->frame, lac_frame_unref);
  self->spectra = lac_spectra_new(channels, n, frame);
  self->frame = lac_frame_ref(frame);
  self->not_before_ns = lac_clock_ns() + REST * (lac_clock_ns() - now);
  count_sources(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
draw_reason(LacSpectrumView *self, LacDrawing *drawing, double width, double height)
{
  gsize             n;
  const LacChannel *channels = lac_session_get_channels(self->session, &n);
  const char       *why =
    self->frame != NULL ? lac_spectra_why_not(channels, n, self->frame) : N_("No frame yet.");
  lac_draw_text(drawing, width / 2, height / 2, LAC_ALIGN_CENTRE, FONT,
                lac_style_palette()->foreground, g_dgettext(GETTEXT_PACKAGE, why));
}

static void
lac_spectrum_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacSpectrumView *self = LAC_SPECTRUM_VIEW(widget);
  if (self->session == NULL)
    return;
  LacSpectraPlace place = {
    .width = gtk_widget_get_width(widget),
    .height = gtk_widget_get_height(widget),
    .font_size = FONT,
    .x_label = _("wavenumber"),
    .y_label = _("energy"),
    .hidden = self->hidden,
  };
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  if (self->spectra != NULL)
    lac_spectra_draw(drawing, self->spectra, &place, lac_style_palette());
  else
    draw_reason(self, drawing, place.width, place.height);
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
}

static void
lac_spectrum_view_map(GtkWidget *widget)
{
  GTK_WIDGET_CLASS(lac_spectrum_view_parent_class)->map(widget);
  compute(LAC_SPECTRUM_VIEW(widget));
}

static void
lac_spectrum_view_dispose(GObject *object)
{
  lac_spectrum_view_set_session(LAC_SPECTRUM_VIEW(object), NULL);
  G_OBJECT_CLASS(lac_spectrum_view_parent_class)->dispose(object);
}

static void
lac_spectrum_view_class_init(LacSpectrumViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_spectrum_view_dispose;
  GTK_WIDGET_CLASS(class)->snapshot = lac_spectrum_view_snapshot;
  GTK_WIDGET_CLASS(class)->map = lac_spectrum_view_map;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
  signals[SOURCES_CHANGED] = g_signal_new("sources-changed", LAC_TYPE_SPECTRUM_VIEW,
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_spectrum_view_init(LacSpectrumView *self)
{
  lac_style_follow(GTK_WIDGET(self));
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Energy spectra"), -1);
}

void
lac_spectrum_view_set_session(LacSpectrumView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_SPECTRUM_VIEW(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  g_clear_handle_id(&self->later, g_source_remove);
  g_clear_pointer(&self->spectra, lac_spectra_free);
  g_clear_pointer(&self->frame, lac_frame_unref);
  self->not_before_ns = 0;
  for (guint i = 0; i < MAX_SOURCES; i++)
    self->hidden[i] = FALSE;
  count_sources(self);
  if (session != NULL)
    g_signal_connect_object(session, "frame-changed", G_CALLBACK(compute), self, G_CONNECT_SWAPPED);
  compute(self);
}

const char *
lac_spectrum_view_get_source(LacSpectrumView *self, guint source)
{
  g_return_val_if_fail(LAC_IS_SPECTRUM_VIEW(self), NULL);
  for (gsize i = 0; self->spectra != NULL && i < self->spectra->n_spectra; i++)
    if (self->spectra->spectra[i].source == source)
      return g_dgettext(GETTEXT_PACKAGE, self->spectra->spectra[i].label);
  return source < self->n_sources ? "" : NULL;
}

void
lac_spectrum_view_set_shown(LacSpectrumView *self, guint source, gboolean shown)
{
  g_return_if_fail(LAC_IS_SPECTRUM_VIEW(self) && source < MAX_SOURCES);
  self->hidden[source] = !shown;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean
lac_spectrum_view_is_shown(LacSpectrumView *self, guint source)
{
  g_return_val_if_fail(LAC_IS_SPECTRUM_VIEW(self) && source < MAX_SOURCES, FALSE);
  return !self->hidden[source];
}
