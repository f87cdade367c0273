/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture with one column per frame. */
#include "app/timeline/spectrogram-view.h"

#include "app/session/session.h"
#include "app/timeline/part.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/style.h"
#include "field/accuracy.h"
#include "field/transfer.h"
#include "report/canvas/colour-map.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_FRAMES 160
#define DECADES     6.0  /* range below the largest power */
#define TOP         20.0 /* pixels, for title and colour bar */
#define BELOW       20.0 /* for the times */
#define TICK        4.0
#define BAR_WIDTH   140.0
#define BAR_HEIGHT  10.0
#define BAR_STEPS   70
#define MOST_TICKS  8

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

/* The plot: time as in the timeline above it, wavenumbers from bottom to top. */
typedef struct {
  LacSpectrogramView *view;
  LacDrawing         *drawing;
  const LacPalette   *palette;
  LacBox              box;
  gint64              begin, end; /* visible time */
  double              most;       /* largest power */
} Plot;

static LacWarp
get_warp(const Plot *plot)
{
  return lac_warp_new(LAC_TRANSFER_LOG, plot->most * pow(10, -DECADES), plot->most);
}

static double
place(const Plot *plot, gint64 time_ns)
{
  return plot->box.x + (double) (time_ns - plot->begin) * plot->box.width /
                         (double) MAX(plot->end - plot->begin, 1);
}

static void
draw_column(const Plot *plot, gsize i, double left, double width)
{
  const LacSpectrogram *spectrogram = plot->view->spectrogram;
  const LacColourMap   *map = lac_colour_map_find("ember");
  const LacWarp         warp = get_warp(plot);
  g_autofree            guint8(*pixels)[4] = g_malloc(4 * spectrogram->n_shells);
  for (gsize k = 0; k < spectrogram->n_shells; k++) {
    double power = spectrogram->power[i * spectrogram->n_shells + k];
    memcpy(pixels[spectrogram->n_shells - 1 - k], lac_colour_map_at_warp(map, &warp, power), 4);
  }
  lac_draw_image(plot->drawing, left, plot->box.y, width, plot->box.height, 1,
                 (guint) spectrogram->n_shells, &pixels[0][0]);
}

static void
draw_columns(const Plot *plot)
{
  gsize                 n;
  const gint64         *times = lac_timeline_scope_get_frames(plot->view->scope, &n);
  const LacSpectrogram *spectrogram = plot->view->spectrogram;
  double                before = 0;
  lac_draw_clip(plot->drawing, plot->box.x, plot->box.y, plot->box.width, plot->box.height);
  for (gsize i = 0; i < spectrogram->n_steps && n > 0 && plot->most > 0; i++) {
    double right = place(plot, times[frame_of(spectrogram, i, n)]);
    double left = i > 0 ? before : right - 8;
    before = right;
    if (right > plot->box.x && left < plot->box.x + plot->box.width && right > left)
      draw_column(plot, i, floor(left), MAX(ceil(right) - floor(left), 1));
  }
  lac_draw_unclip(plot->drawing);
}

/* Draws the wavenumbers at the left. */
static void
draw_wavenumbers(const Plot *plot)
{
  const LacSpectrogram *spectrogram = plot->view->spectrogram;
  const double          most = spectrogram->unit * (double) (spectrogram->n_shells - 1);
  const double          font = LAC_DRAWING_FONT, bottom = plot->box.y + plot->box.height;
  double                ticks[16];
  const gsize           n =
    lac_ticks(0, most, (gsize) CLAMP(plot->box.height / (3 * font), 2, MOST_TICKS), ticks);
  for (gsize i = 0; i < n && most > 0; i++) {
    const double     y = bottom - ticks[i] / most * plot->box.height;
    g_autofree char *text = lac_number_text(ticks[i]);
    lac_draw_rectangle(plot->drawing, plot->box.x - TICK, floor(y), TICK, 1, plot->palette->faint);
    lac_draw_text(plot->drawing, plot->box.x - TICK - 3,
                  CLAMP(y, plot->box.y + font / 2, bottom - font / 2) + 0.36 * font,
                  LAC_ALIGN_RIGHT, font, plot->palette->faint, text);
  }
  lac_draw_text_vertical(plot->drawing, font, plot->box.y + plot->box.height / 2, LAC_ALIGN_CENTRE,
                         font, plot->palette->foreground, _("wavenumber"));
}

/* Draws the times below. */
static void
draw_times(const Plot *plot)
{
  gint64       first, last;
  const double font = LAC_DRAWING_FONT, y = plot->box.y + plot->box.height;
  double       ticks[16];
  lac_timeline_get_extent(
    lac_recording_get_timeline(lac_timeline_scope_get_recording(plot->view->scope)), &first, &last);
  const double begin = (double) (plot->begin - first) * 1e-9,
               end = (double) (plot->end - first) * 1e-9;
  const gsize n =
    lac_ticks(begin, end, (gsize) CLAMP(plot->box.width / (8 * font), 2, MOST_TICKS), ticks);
  for (gsize i = 0; i < n; i++) {
    char         text[64];
    const double x = plot->box.x + (ticks[i] - begin) / (end - begin) * plot->box.width;
    lac_timeline_format_time(text, sizeof text, ticks[i], n > 1 ? ticks[1] - ticks[0] : end - begin,
                             MAX(fabs(begin), fabs(end)));
    const double half = lac_text_width(text, font, FALSE) / 2;
    lac_draw_rectangle(plot->drawing, floor(x), y, 1, TICK, plot->palette->faint);
    lac_draw_text(plot->drawing, MIN(x, plot->box.x + plot->box.width - half), y + TICK + font,
                  LAC_ALIGN_CENTRE, font, plot->palette->faint, text);
  }
}

/* Draws the colour bar at the right above the plot, with the powers at its ends. */
static void
draw_bar(const Plot *plot)
{
  const LacColourMap *map = lac_colour_map_find("ember");
  const double        font = LAC_DRAWING_FONT, y = (TOP - BAR_HEIGHT) / 2 - 1;
  g_autofree char    *least = lac_number_text(plot->most * pow(10, -DECADES));
  g_autofree char    *most = lac_number_text(plot->most);
  double              right = plot->box.x + plot->box.width;
  guint8              pixels[BAR_STEPS][4];
  for (gsize i = 0; i < BAR_STEPS; i++)
    memcpy(pixels[i], lac_colour_map_at_place(map, (double) i / (BAR_STEPS - 1)), 4);
  lac_draw_text(plot->drawing, right, y + BAR_HEIGHT, LAC_ALIGN_RIGHT, font, plot->palette->faint,
                most);
  right -= lac_text_width(most, font, FALSE) + 6;
  lac_draw_image(plot->drawing, right - BAR_WIDTH, y, BAR_WIDTH, BAR_HEIGHT, BAR_STEPS, 1,
                 &pixels[0][0]);
  lac_draw_text(plot->drawing, right - BAR_WIDTH - 6, y + BAR_HEIGHT, LAC_ALIGN_RIGHT, font,
                plot->palette->faint, least);
}

static void
draw_title(LacDrawing *drawing, double x, const char *words)
{
  lac_draw_text(drawing, x, TOP - 6, LAC_ALIGN_LEFT, LAC_DRAWING_FONT,
                lac_style_palette()->foreground, words);
}

static void
draw_plot(const Plot *plot)
{
  gint64           shown;
  g_autofree char *words = g_strdup_printf(_("%s: power of the error"), plot->view->label);
  draw_title(plot->drawing, plot->box.x, words);
  draw_columns(plot);
  draw_wavenumbers(plot);
  draw_times(plot);
  draw_bar(plot);
  if (lac_timeline_scope_get_shown(plot->view->scope, &shown) && shown >= plot->begin &&
      shown <= plot->end)
    lac_draw_rectangle(plot->drawing, floor(place(plot, shown)), plot->box.y, 1, plot->box.height,
                       plot->palette->series[2]);
}

static LacBox
get_box(double width, double height)
{
  return (LacBox){LAC_TIMELINE_NAMES, TOP, MAX(width - LAC_TIMELINE_NAMES, 1),
                  MAX(height - TOP - BELOW, 1)};
}

static void
lac_spectrogram_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacSpectrogramView *self = LAC_SPECTROGRAM_VIEW(view);
  Plot                plot = {.view = self, .drawing = drawing, .palette = lac_style_palette()};
  if (self->spectrogram == NULL) {
    draw_title(
      drawing, 0,
      lac_latest_job_is_busy(self->measuring)
        ? _("Analysing the saved frames…")
        : _("The error by wavenumber is available once a run with a known truth has ended."));
    return;
  }
  plot.box = get_box(width, height);
  plot.most = find_most(self->spectrogram);
  lac_timeline_scope_get_view(self->scope, &plot.begin, &plot.end);
  draw_plot(&plot);
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
  const LacBox  box = get_box(gtk_widget_get_width(GTK_WIDGET(self)), 0);
  const gint64  at = begin + (gint64) ((x - box.x) / box.width * (double) (end - begin));
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
