/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails of saved frames. */
#include "app/timeline/frames.h"

#include "app/runs/pictures.h"
#include "app/session/session.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define WIDTH       52
#define HEIGHT      34
#define GAP         4   /* pixels between thumbnails */
#define BELOW       6   /* spacing of the box */
#define LEAST_LANES 60  /* pixels, minimum left to the lanes */
#define MOST_KEPT   256 /* thumbnails; 5 KB each */
#define MOST_ASKED  12  /* of a job: short, so that newly visible ones follow soon */
#define MOST_SHOWN  128

struct _LacTimelineFrames {
  LacDrawingView    parent_instance;
  LacTimelineScope *scope;
  LacSession       *session;  /* weak: session of the thumbnails */
  GHashTable       *pictures; /* 1 + frame -> GdkTexture, or NULL: it cannot be drawn */
  GQueue            order;    /* keys, most recently used first */
  LacLatestJob     *drawing;
  gboolean          has_room;
  guint             pending;
};

G_DEFINE_FINAL_TYPE(LacTimelineFrames, lac_timeline_frames, LAC_TYPE_DRAWING_VIEW)

/* ---- visible frames ---- */

typedef struct {
  gsize  frame;
  double left; /* left edge of its thumbnail */
} Place;

/* Returns the stride at which thumbnails are far enough apart; powers of two, so that panning keeps the same frames. */
static gsize
find_stride(const gint64 *times, gsize n, double pixels_a_ns)
{
  gsize  stride = 1;
  double apart = n > 1 ? (double) (times[n - 1] - times[0]) / (double) (n - 1) * pixels_a_ns : 1e9;
  while (apart * (double) stride < WIDTH + GAP && stride < n)
    stride *= 2;
  return stride;
}

static gsize
find_places(LacTimelineFrames *self, Place *places)
{
  gint64        begin, end;
  gsize         n, n_places = 0;
  const gint64 *times = lac_timeline_scope_get_frames(self->scope, &n);
  const double  width = gtk_widget_get_width(GTK_WIDGET(self));
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  const double scale = width / (double) MAX(end - begin, 1);
  const gsize  stride = find_stride(times, n, scale);
  double       last = -G_MAXDOUBLE;
  for (gsize i = 0; i < n && n_places < MOST_SHOWN; i += stride) {
    const double left = (double) (times[i] - begin) * scale - WIDTH / 2.0;
    if (left < 0 || left + WIDTH > width || left < last + WIDTH + GAP)
      continue;
    last = left;
    places[n_places++] = (Place){i, floor(left)};
  }
  return n_places;
}

/* ---- drawing, in a thread ---- */

typedef struct {
  char       *folder;
  gsize       frames[MOST_ASKED], n;
  GdkTexture *pictures[MOST_ASKED];
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  for (gsize i = 0; i < job->n; i++)
    g_clear_object(&job->pictures[i]);
  g_free(job->folder);
  g_free(job);
}

static gpointer
draw(gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  lac_run_pictures_draw(job->folder, job->frames, job->n, (const int[]){WIDTH, HEIGHT},
                        job->pictures);
  return NULL;
}

static void
keep(LacTimelineFrames *self, gsize frame, GdkTexture *picture)
{
  gpointer key = GSIZE_TO_POINTER(frame + 1);
  g_hash_table_insert(self->pictures, key, picture);
  g_queue_push_head(&self->order, key);
  if (g_queue_get_length(&self->order) > MOST_KEPT)
    g_hash_table_remove(self->pictures, g_queue_pop_tail(&self->order));
}

static void
on_drawn(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacTimelineFrames *self = owner;
  Job               *job = request;
  for (gsize i = 0; i < job->n; i++)
    keep(self, job->frames[i], g_steal_pointer(&job->pictures[i]));
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
ask(LacTimelineFrames *self, const Place *places, gsize n)
{
  Job *job = g_new0(Job, 1);
  for (gsize i = 0; i < n && job->n < MOST_ASKED; i++)
    if (!g_hash_table_contains(self->pictures, GSIZE_TO_POINTER(places[i].frame + 1)))
      job->frames[job->n++] = places[i].frame;
  if (job->n == 0 || self->session == NULL) {
    g_free(job);
    return;
  }
  job->folder = g_strdup(lac_session_get_folder(self->session));
  lac_latest_job_start(self->drawing, job);
}

/* ---- the widget ---- */

static void
lac_timeline_frames_paint_under(LacDrawingView *view, GtkSnapshot *snapshot)
{
  LacTimelineFrames *self = LAC_TIMELINE_FRAMES(view);
  Place              places[MOST_SHOWN];
  if (gtk_widget_get_height(GTK_WIDGET(view)) < HEIGHT || lac_timeline_scope_is_empty(self->scope))
    return;
  const gsize n = find_places(self, places);
  for (gsize i = 0; i < n; i++) {
    gpointer    key = GSIZE_TO_POINTER(places[i].frame + 1);
    GdkTexture *picture = g_hash_table_lookup(self->pictures, key);
    if (picture == NULL)
      continue;
    gtk_snapshot_append_texture(snapshot, picture,
                                &GRAPHENE_RECT_INIT((float) places[i].left, 0, WIDTH, HEIGHT));
    g_queue_remove(&self->order, key);
    g_queue_push_head(&self->order, key);
  }
  if (!lac_latest_job_is_busy(self->drawing))
    ask(self, places, n);
}

static gboolean
has_frames(LacTimelineFrames *self)
{
  gsize n;
  lac_timeline_scope_get_frames(self->scope, &n);
  return n > 0;
}

static void
show_or_hide(LacTimelineFrames *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self), self->has_room && has_frames(self));
}

static void
forget(LacTimelineFrames *self)
{
  lac_latest_job_cancel(self->drawing);
  g_hash_table_remove_all(self->pictures);
  g_queue_clear(&self->order);
}

static void
on_scope(LacTimelineFrames *self, guint what)
{
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  LacSession   *session = recording != NULL ? lac_recording_get_session(recording) : NULL;
  if (session != self->session)
    forget(self);
  g_set_weak_pointer(&self->session, session);
  if (what & LAC_SCOPE_DATA)
    show_or_hide(self);
  if ((what & (LAC_SCOPE_VIEW | LAC_SCOPE_DATA)) && has_frames(self))
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* Selects the step of the frame, whose fields the page then shows; without that step shows the frame alone. */
static void
choose(LacTimelineFrames *self, gsize frame)
{
  gsize                n, n_steps;
  LacTimelineBar       bar;
  const gint64        *times = lac_timeline_scope_get_frames(self->scope, &n);
  const gint64        *steps = lac_session_get_frame_steps(self->session, &n_steps);
  LacRecording        *recording = lac_timeline_scope_get_recording(self->scope);
  const LacIterations *all = lac_recording_get_iterations(recording);
  const gssize         i = lac_timeline_find_iteration(all, times[frame] - 1);
  if (i >= 0 &&
      lac_timeline_find(lac_recording_get_timeline(recording), all->iterations[i].record, &bar))
    lac_timeline_scope_select(self->scope, &bar);
  else if (frame < n_steps)
    lac_session_show_step(self->session, steps[frame], NULL);
}

static void
lac_timeline_frames_click(LacDrawingView *view, double x, double y)
{
  LacTimelineFrames *self = LAC_TIMELINE_FRAMES(view);
  Place              places[MOST_SHOWN];
  const gsize        n = self->session != NULL ? find_places(self, places) : 0;
  for (gsize i = 0; i < n; i++)
    if (x >= places[i].left && x < places[i].left + WIDTH)
      choose(self, places[i].frame);
}

/* ---- available height ---- */

static gboolean
on_room(gpointer user_data)
{
  LacTimelineFrames *self = user_data;
  self->pending = 0;
  show_or_hide(self);
  return G_SOURCE_REMOVE;
}

/* Shows or hides the thumbnails after a change of the lanes' height: enough must be left for the lanes. */
static gboolean
on_lanes(GtkOverlay *lanes, GtkWidget *child, GdkRectangle *place, LacTimelineFrames *self)
{
  const gboolean taken = gtk_widget_get_visible(GTK_WIDGET(self));
  const int      least = LEAST_LANES + (taken ? 0 : HEIGHT + BELOW);
  const gboolean has_room = gtk_widget_get_height(GTK_WIDGET(lanes)) >= least;
  if (has_room != self->has_room && self->pending == 0)
    self->pending = g_idle_add(on_room, self); /* deferred: not during allocation */
  self->has_room = has_room;
  return FALSE; /* default placement of the overlay */
}

/* ---- the object ---- */

static void
lac_timeline_frames_dispose(GObject *object)
{
  LacTimelineFrames *self = LAC_TIMELINE_FRAMES(object);
  g_clear_handle_id(&self->pending, g_source_remove);
  if (self->pictures != NULL)
    forget(self);
  g_clear_pointer(&self->drawing, lac_latest_job_free);
  g_clear_pointer(&self->pictures, g_hash_table_unref);
  g_clear_weak_pointer(&self->session);
  if (self->scope != NULL)
    g_signal_handlers_disconnect_by_data(self->scope, self);
  g_clear_object(&self->scope);
  G_OBJECT_CLASS(lac_timeline_frames_parent_class)->dispose(object);
}

static void
lac_timeline_frames_class_init(LacTimelineFramesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_timeline_frames_dispose;
  LAC_DRAWING_VIEW_CLASS(class)->paint_under = lac_timeline_frames_paint_under;
  LAC_DRAWING_VIEW_CLASS(class)->click = lac_timeline_frames_click;
}

static void
unref_picture(gpointer picture)
{
  if (picture != NULL)
    g_object_unref(picture);
}

static void
lac_timeline_frames_init(LacTimelineFrames *self)
{
  self->pictures = g_hash_table_new_full(NULL, NULL, NULL, unref_picture);
  g_queue_init(&self->order);
  self->drawing = lac_latest_job_new(
    self, &(LacJobKind){.work = draw, .show = on_drawn, .free_request = job_free});
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  gtk_widget_set_size_request(GTK_WIDGET(self), -1, HEIGHT);
  gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), _("Click to show the fields at this time"));
  lac_accessible_name(self, _("Saved frames along the timeline"));
}

GtkWidget *
lac_timeline_frames_new(LacTimelineScope *scope, GtkOverlay *lanes)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_SCOPE(scope) && GTK_IS_OVERLAY(lanes), NULL);
  LacTimelineFrames *self = g_object_new(LAC_TYPE_TIMELINE_FRAMES, NULL);
  self->scope = g_object_ref(scope);
  g_signal_connect_object(scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lanes, "get-child-position", G_CALLBACK(on_lanes), self, 0);
  return GTK_WIDGET(self);
}
