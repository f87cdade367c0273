/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture with one column per frame. */
#include "app/timeline/spectrogram-view.h"

#include "app/session/session.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/style.h"
#include "field/accuracy.h"
#include "field/transfer.h"
#include "report/canvas/colour-map.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_FRAMES 160
#define DECADES     6.0 /* range below the largest power */
#define BELOW       4.0 /* pixels */
#define TOP         18.0

struct _LacSpectrogramView {
  LacDrawingView    parent_instance;
  LacTimelineScope *scope;
  LacSession       *session; /* weak: session of the spectrogram */
  LacSpectrogram   *spectrogram;
  char             *label; /* label of the source */
  LacLatestJob     *measuring;
};

G_DEFINE_FINAL_TYPE(LacSpectrogramView, lac_spectrogram_view, LAC_TYPE_DRAWING_VIEW)

typedef struct {
  char    *folder;
  gsize    truth, source;
  gboolean bounded;
} Job;

static void
free_job(gpointer data)
{
  Job *job = data;
  g_free(job->folder);
  g_free(job);
}

/* Finds the first quantity with a true field and a source. */
static gboolean
find_pair(const LacChannel *channels, gsize n, Job *job)
{
  for (gsize t = 0; t < n; t++)
    for (gsize s = 0; s < n && channels[t].role == LAC_ROLE_TRUTH; s++)
      if (channels[s].role == LAC_ROLE_RECONSTRUCTION && channels[s].layers.n == 0 &&
          channels[s].chart.n == 0 && channels[s].quantity != NULL &&
          g_strcmp0(channels[s].quantity, channels[t].quantity) == 0) {
        job->truth = t;
        job->source = s;
        job->bounded = !channels[s].periodic;
        return TRUE;
      }
  return FALSE;
}

static LacSpectrogram *
measure(const LacRunFile *file, const Job *job, GCancellable *cancellable)
{
  LacSpectrogram *spectrogram = NULL;
  gsize           stride = file->n_frames / MOST_FRAMES + 1;
  gsize           n = file->n_frames / stride + (file->n_frames % stride > 0);
  for (gsize i = 0; i < n && !g_cancellable_is_cancelled(cancellable); i++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(file, i * stride, NULL);
    if (frame == NULL)
      continue;
    LacScored scored = {&frame->planes[job->truth], &frame->planes[job->source]};
    if (spectrogram == NULL)
      spectrogram = lac_spectrogram_new(scored.field, n);
    if (spectrogram == NULL)
      break;
    lac_spectrogram_set(spectrogram, i, frame->step, &scored, job->bounded);
  }
  return spectrogram;
}

static gpointer
compute(gpointer data, GCancellable *cancellable, GError **error)
{
  Job                  *job = data;
  g_autoptr(LacRunFile) file = lac_run_file_open(job->folder, NULL);
  return file != NULL ? measure(file, job, cancellable) : NULL;
}

static void
on_computed(gpointer owner, gpointer request, gpointer found, const GError *error)
{
  LacSpectrogramView *self = owner;
  self->spectrogram = found;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
forget(LacSpectrogramView *self)
{
  lac_latest_job_cancel(self->measuring);
  g_clear_pointer(&self->spectrogram, lac_spectrogram_free);
  g_clear_pointer(&self->label, g_free);
  g_clear_weak_pointer(&self->session);
}

static LacSession *
get_session(LacSpectrogramView *self)
{
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  return recording != NULL ? lac_recording_get_session(recording) : NULL;
}

/* Starts the computation once, for an ended run while visible. */
static void
follow(LacSpectrogramView *self)
{
  gsize       n;
  LacSession *session = get_session(self);
  if (session != self->session)
    forget(self);
  if (session == NULL || session == self->session || lac_session_is_active(session) ||
      !gtk_widget_get_mapped(GTK_WIDGET(self)))
    return;
  const LacChannel *channels = lac_session_get_channels(session, &n);
  Job              *job = g_new0(Job, 1);
  g_set_weak_pointer(&self->session, session);
  if (!find_pair(channels, n, job)) {
    g_free(job);
    return;
  }
  job->folder = g_strdup(lac_session_get_folder(session));
  self->label = g_strdup(g_dgettext(GETTEXT_PACKAGE, channels[job->source].label));
  lac_latest_job_start(self->measuring, job);
}

/* ---- drawing ---- */

static double
find_most(const LacSpectrogram *spectrogram)
{
  double most = 0;
  for (gsize i = 0; i < spectrogram->n_steps * spectrogram->n_shells; i++)
    if (isfinite(spectrogram->power[i]))
      most = MAX(most, spectrogram->power[i]);
  return most;
}

/* Returns the index of the saved frame of column @i: every stride-th frame was measured. */
static gsize
frame_of(const LacSpectrogram *spectrogram, gsize i, gsize n_frames)
{
  gsize stride = n_frames / MOST_FRAMES + 1;
  return MIN(i * stride, n_frames - 1);
}

static void
draw_column(LacDrawing           *drawing,
            const LacSpectrogram *spectrogram,
            gsize                 i,
            const double          box[4],
            double                most)
{
  const LacColourMap *map = lac_colour_map_find("ember");
  g_autofree          guint8(*pixels)[4] = g_malloc(4 * spectrogram->n_shells);
  LacWarp             warp = lac_warp_new(LAC_TRANSFER_LOG, most * pow(10, -DECADES), most);
  for (gsize k = 0; k < spectrogram->n_shells; k++) {
    double power = spectrogram->power[i * spectrogram->n_shells + k];
    memcpy(pixels[spectrogram->n_shells - 1 - k], lac_colour_map_at_warp(map, &warp, power), 4);
  }
  lac_draw_image(drawing, box[0], box[1], box[2], box[3], 1, (guint) spectrogram->n_shells,
                 &pixels[0][0]);
}

static void
draw_columns(LacSpectrogramView *self, LacDrawing *drawing, double width, double height)
{
  gsize                 n;
  const gint64         *times = lac_timeline_scope_get_frames(self->scope, &n);
  const LacSpectrogram *spectrogram = self->spectrogram;
  gint64                begin, end;
  double                most = find_most(spectrogram);
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  double scale = width / (double) MAX(end - begin, 1), before = 0;
  for (gsize i = 0; i < spectrogram->n_steps && n > 0 && most > 0; i++) {
    double right = (double) (times[frame_of(spectrogram, i, n)] - begin) * scale;
    double left = i > 0 ? before : right - 8;
    before = right;
    if (right > 0 && left < width && right > left)
      draw_column(drawing, spectrogram, i,
                  (double[]){floor(left), TOP, MAX(ceil(right) - floor(left), 1), height}, most);
  }
}

static void
draw_words(LacSpectrogramView *self, LacDrawing *drawing, double width, const char *words)
{
  lac_draw_text(drawing, 0, TOP - 5, LAC_ALIGN_LEFT, LAC_DRAWING_FONT,
                lac_style_palette()->foreground, words);
}

static void
lac_spectrogram_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSpectrogramView *self = LAC_SPECTROGRAM_VIEW(view);
  gint64              shown, begin, end;
  height -= TOP + BELOW;
  if (self->spectrogram != NULL) {
    g_autofree char *most =
      lac_number_text(self->spectrogram->unit * (double) (self->spectrogram->n_shells - 1));
    g_autofree char *words = g_strdup_printf(
      _("%s: error power; wavenumber from 0 (bottom) to %s (top); six decades"), self->label, most);
    draw_words(self, drawing, width, words);
    draw_columns(self, drawing, width, height);
    lac_timeline_scope_get_view(self->scope, &begin, &end);
    if (lac_timeline_scope_get_shown(self->scope, &shown))
      lac_draw_rectangle(drawing, floor((double) (shown - begin) * width / (double) (end - begin)),
                         TOP, 1, height, lac_style_palette()->series[2]);
  } else {
    draw_words(
      self, drawing, width,
      lac_latest_job_is_busy(self->measuring)
        ? _("Analysing the saved frames…")
        : _("The error by wavenumber is available once a run with a known truth has ended."));
  }
}

static void
lac_spectrogram_view_click(LacDrawingView *view, double x, double y)
{
  LacSpectrogramView *self = LAC_SPECTROGRAM_VIEW(view);
  gsize               n;
  gint64              begin, end;
  const gint64       *times = lac_timeline_scope_get_frames(self->scope, &n);
  LacSession         *session = get_session(self);
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  gint64 at =
    begin + (gint64) (x / gtk_widget_get_width(GTK_WIDGET(self)) * (double) (end - begin));
  gsize         steps;
  const gint64 *frame_steps = session != NULL ? lac_session_get_frame_steps(session, &steps) : NULL;
  for (gsize i = 0; frame_steps != NULL && i < MIN(n, steps); i++)
    if (times[i] >= at) {
      lac_session_show_step(session, frame_steps[i], NULL);
      return;
    }
}

/* Moves to the saved frame before or after the one shown. */
static gboolean
lac_spectrogram_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacSpectrogramView *self = LAC_SPECTROGRAM_VIEW(view);
  int                 direction = key == GDK_KEY_Left ? -1 : key == GDK_KEY_Right ? 1 : 0;
  gsize               n = 0, at = 0;
  LacSession         *session = get_session(self);
  const gint64       *steps = session != NULL ? lac_session_get_frame_steps(session, &n) : NULL;
  LacFrame           *frame = session != NULL ? lac_session_get_frame(session) : NULL;
  if (direction == 0 || n == 0)
    return GDK_EVENT_PROPAGATE;
  while (frame != NULL && at < n && steps[at] < frame->step)
    at++;
  gboolean is_kept = frame != NULL && at < n && steps[at] == frame->step;
  gssize   next = (gssize) at + (direction < 0 ? -1 : is_kept ? 1 : 0);
  if (next >= 0 && next < (gssize) n)
    lac_session_show_step(session, steps[next], NULL);
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

static void
on_scope(LacSpectrogramView *self, guint what)
{
  if (what & LAC_SCOPE_DATA)
    follow(self);
  if (what & (LAC_SCOPE_VIEW | LAC_SCOPE_DATA | LAC_SCOPE_SHOWN))
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
lac_spectrogram_view_dispose(GObject *object)
{
  LacSpectrogramView *self = LAC_SPECTROGRAM_VIEW(object);
  forget(self);
  g_clear_pointer(&self->measuring, lac_latest_job_free);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_spectrogram_view_parent_class)->dispose(object);
}

static void
lac_spectrogram_view_class_init(LacSpectrogramViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_spectrogram_view_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_spectrogram_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->click = lac_spectrogram_view_click;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_spectrogram_view_key;
}

static void
lac_spectrogram_view_init(LacSpectrogramView *self)
{
  self->measuring = lac_latest_job_new(
    self, &(LacJobKind){compute, on_computed, free_job, (GDestroyNotify) lac_spectrogram_free});
  lac_accessible_name(self, _("Error by wavenumber over time"));
}

void
lac_spectrogram_view_set_scope(LacSpectrogramView *self, LacTimelineScope *scope)
{
  g_return_if_fail(LAC_IS_SPECTROGRAM_VIEW(self) && self->scope == NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  g_signal_connect_after(self, "map", G_CALLBACK(follow), NULL);
}
