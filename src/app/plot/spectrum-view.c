/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra as a drawing list of report/plot/spectra.h, computed in a thread: the newest frame wins. */
#include "app/plot/spectrum-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/style.h"
#include "base/clock.h"
#include "report/plot/spectra.h"

#include <glib/gi18n-lib.h>

#define MAX_SOURCES 16
#define REST        9 /* pause, as a multiple of the last computation's time */

struct _LacSpectrumView {
  LacDrawingView parent_instance;
  LacFieldView  *field; /* borrowed: the source of quantity and frame */
  LacSession    *session;
  LacFrame      *frame;    /* frame of @spectra */
  char          *quantity; /* quantity of @spectra */
  LacSpectra    *spectra;
  LacLatestJob  *making;
  guint          n_sources;
  gboolean       hidden[MAX_SOURCES];
  gint64         not_before_ns;
  guint          later;
};

G_DEFINE_FINAL_TYPE(LacSpectrumView, lac_spectrum_view, LAC_TYPE_DRAWING_VIEW)

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
  self->n_sources = 0;
  for (gsize i = 0; self->spectra != NULL && i < self->spectra->n_spectra; i++)
    self->n_sources = MAX(self->n_sources, (guint) self->spectra->spectra[i].source + 1);
  self->n_sources = MIN(self->n_sources, MAX_SOURCES);
}

/* ---- worker thread ---- */

typedef struct {
  LacSession *session; /* owns the strings of the channels */
  LacChannel *channels;
  gsize       n_channels;
  LacFrame   *frame;
  char       *quantity;
  gint64      took_ns;
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  g_object_unref(job->session);
  g_free(job->channels);
  lac_frame_unref(job->frame);
  g_free(job->quantity);
  g_free(job);
}

static void
free_spectra(gpointer spectra)
{
  lac_spectra_free(spectra);
}

static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  Job        *job = data;
  gint64      begin_ns = lac_clock_ns();
  LacSpectra *spectra =
    lac_spectra_new(&(LacSpectraOf){job->channels, job->n_channels, job->frame, job->quantity});
  job->took_ns = lac_clock_ns() - begin_ns;
  return spectra;
}

static void
on_worked(gpointer owner, gpointer request, gpointer spectra, const GError *error)
{
  LacSpectrumView *self = owner;
  const Job       *job = request;
  g_clear_pointer(&self->spectra, lac_spectra_free);
  g_clear_pointer(&self->frame, lac_frame_unref);
  g_free(self->quantity);
  self->spectra = spectra;
  self->frame = lac_frame_ref(job->frame);
  self->quantity = g_strdup(job->quantity);
  self->not_before_ns = lac_clock_ns() + REST * job->took_ns;
  count_sources(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
  compute(self);
}

/* ---- main thread ---- */

static const LacFieldScene *
get_scene(LacSpectrumView *self)
{
  const LacFieldScene *scene =
    self->field != NULL && self->session != NULL ? lac_field_view_get_scene(self->field) : NULL;
  return scene != NULL && scene->n_quantities > 0 && scene->frame != NULL ? scene : NULL;
}

static void
start(LacSpectrumView *self, const LacFieldScene *scene)
{
  Job *job = g_new0(Job, 1);
  job->session = g_object_ref(self->session);
  job->n_channels = MIN(scene->n_channels, scene->frame->n_planes);
  job->channels = g_memdup2(scene->channels, job->n_channels * sizeof *job->channels);
  job->frame = lac_frame_ref(scene->frame);
  job->quantity = g_strdup(scene->quantities[scene->quantity]);
  lac_latest_job_start(self->making, job);
}

static void
compute(LacSpectrumView *self)
{
  const LacFieldScene *scene = get_scene(self);
  if (scene == NULL || lac_latest_job_is_busy(self->making) ||
      !gtk_widget_get_mapped(GTK_WIDGET(self)))
    return;
  if (scene->frame == self->frame &&
      g_strcmp0(scene->quantities[scene->quantity], self->quantity) == 0)
    return;
  gint64 now = lac_clock_ns();
  if (now >= self->not_before_ns)
    start(self, scene);
  else if (self->later == 0)
    self->later =
      g_timeout_add((guint) ((self->not_before_ns - now) / 1000000 + 1), on_later, self);
}

static void
draw_reason(LacSpectrumView *self, LacDrawing *drawing, double width, double height)
{
  const LacFieldScene *scene = get_scene(self);
  const char          *why = N_("No frame yet.");
  if (scene != NULL && scene->frame == self->frame)
    why = lac_spectra_why_not(&(LacSpectraOf){scene->channels,
                                              MIN(scene->n_channels, scene->frame->n_planes),
                                              scene->frame, self->quantity});
  else if (scene != NULL)
    why = N_("Computing the spectrum of this frame…");
  if (why != NULL)
    lac_drawing_show_message(drawing, width, height, lac_style_palette()->foreground,
                             g_dgettext(GETTEXT_PACKAGE, why));
}

/* Finds the looks of the sources, by the labels of their channels. */
static void
find_looks(LacSpectrumView *self, guint looks[MAX_SOURCES])
{
  for (guint i = 0; i < MAX_SOURCES; i++)
    looks[i] = i;
  for (gsize i = 0; self->field != NULL && self->spectra != NULL && i < self->spectra->n_spectra;
       i++) {
    const LacSpectrum *spectrum = &self->spectra->spectra[i];
    guint              look = lac_field_view_find_look(self->field, spectrum->label);
    if (look > 0 && spectrum->source < MAX_SOURCES)
      looks[spectrum->source] = look;
  }
}

static void
lac_spectrum_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSpectrumView *self = LAC_SPECTRUM_VIEW(view);
  if (self->session == NULL)
    return;
  guint looks[MAX_SOURCES];
  find_looks(self, looks);
  LacSpectraPlace place = {
    .width = width,
    .height = height,
    .font_size = LAC_DRAWING_FONT,
    .hidden = self->hidden,
    .legend = TRUE,
    .looks = looks,
  };
  if (self->spectra != NULL)
    lac_spectra_draw(drawing, self->spectra, &place, lac_style_palette());
  else
    draw_reason(self, drawing, width, height);
}

static void
lac_spectrum_view_map(GtkWidget *widget)
{
  GTK_WIDGET_CLASS(lac_spectrum_view_parent_class)->map(widget);
  compute(LAC_SPECTRUM_VIEW(widget));
}

static void
forget(LacSpectrumView *self)
{
  g_clear_handle_id(&self->later, g_source_remove);
  g_clear_pointer(&self->spectra, lac_spectra_free);
  g_clear_pointer(&self->frame, lac_frame_unref);
  g_clear_pointer(&self->quantity, g_free);
  lac_latest_job_cancel(self->making);
}

static void
lac_spectrum_view_dispose(GObject *object)
{
  LacSpectrumView *self = LAC_SPECTRUM_VIEW(object);
  forget(self); /* without notification: listeners may be destroyed */
  g_clear_pointer(&self->making, lac_latest_job_free);
  g_clear_object(&self->session);
  if (self->field != NULL)
    g_object_remove_weak_pointer(G_OBJECT(self->field), (gpointer *) &self->field);
  self->field = NULL;
  G_OBJECT_CLASS(lac_spectrum_view_parent_class)->dispose(object);
}

static void
lac_spectrum_view_class_init(LacSpectrumViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_spectrum_view_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_spectrum_view_draw;
  GTK_WIDGET_CLASS(class)->map = lac_spectrum_view_map;
}

static void
lac_spectrum_view_init(LacSpectrumView *self)
{
  lac_accessible_name(self, _("Spectra"));
  self->making = lac_latest_job_new(self, &(LacJobKind){work, on_worked, job_free, free_spectra});
}

void
lac_spectrum_view_set_session(LacSpectrumView *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_SPECTRUM_VIEW(self));
  g_set_object(&self->session, session);
  forget(self);
  self->not_before_ns = 0;
  for (guint i = 0; i < MAX_SOURCES; i++)
    self->hidden[i] = FALSE;
  count_sources(self);
  compute(self);
}

void
lac_spectrum_view_attach(LacSpectrumView *self, LacFieldView *field)
{
  g_return_if_fail(LAC_IS_SPECTRUM_VIEW(self) && LAC_IS_FIELD_VIEW(field) && self->field == NULL);
  self->field = field;
  g_object_add_weak_pointer(G_OBJECT(field), (gpointer *) &self->field);
  g_signal_connect_object(field, "picture-changed", G_CALLBACK(compute), self, G_CONNECT_SWAPPED);
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
