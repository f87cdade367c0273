/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows, streamlines, smeared noise. */
#include "app/field-flow.h"

#include "field/section.h"
#include "field/streamlines.h"

#include <math.h>

#define APART       0.055 /* of the shorter side, between streamlines */
#define SETTLE_MS   200   /* without a new frame, before noise is smeared */
#define TEXTURE     320   /* cells of the longer side */
#define REACH       18    /* cells to either side */
#define CONTRAST    2.4F  /* a mean of so many varies little */
#define ARROW_APART 34.0  /* pixels, about */
#define HEAD        0.32  /* of an arrow */

#define N_PANES (2 * LAC_MAX_PANES)

struct _LacFieldFlow {
  void (*changed)(gpointer user_data);
  gpointer        user_data;
  LacFrame       *frame; /* whose lines these are */
  gsize           sources[N_PANES];
  LacStreamlines *lines[N_PANES];
  LacFrame       *smeared; /* whose noise this is */
  gsize           smear_sources[N_PANES];
  LacSmear        smears[N_PANES];
  guint64         last_id;
  guint           settle;
  GCancellable   *job;
};

typedef struct {
  LacFrame *frame;
  guint     n;
  gsize     channels[N_PANES][2];
  gboolean  periodic[N_PANES], has[N_PANES];
  LacSmear  smears[N_PANES];
} Job;

static void
free_job(gpointer data)
{
  Job *job = data;
  lac_frame_unref(job->frame);
  for (guint i = 0; i < N_PANES; i++)
    g_free(job->smears[i].data);
  g_free(job);
}

LacFieldFlow *
lac_field_flow_new(void (*changed)(gpointer user_data), gpointer user_data)
{
  LacFieldFlow *flow = g_new0(LacFieldFlow, 1);
  flow->changed = changed;
  flow->user_data = user_data;
  return flow;
}

static void
clear_lines(LacFieldFlow *flow)
{
  for (guint i = 0; i < N_PANES; i++)
    g_clear_pointer(&flow->lines[i], lac_streamlines_free);
  g_clear_pointer(&flow->frame, lac_frame_unref);
}

static void
clear_smears(LacFieldFlow *flow)
{
  for (guint i = 0; i < N_PANES; i++)
    g_clear_pointer(&flow->smears[i].data, g_free);
  g_clear_pointer(&flow->smeared, lac_frame_unref);
}

static void
stop(LacFieldFlow *flow)
{
  g_clear_handle_id(&flow->settle, g_source_remove);
  if (flow->job != NULL)
    g_cancellable_cancel(flow->job);
  g_clear_object(&flow->job);
}

void
lac_field_flow_free(LacFieldFlow *flow)
{
  if (flow == NULL)
    return;
  stop(flow);
  clear_lines(flow);
  clear_smears(flow);
  g_free(flow);
}

static gboolean
get_vectors(const LacFieldScene *scene, guint pane, LacVectorPlane *vectors, gsize channels[2])
{
  if (scene->frame == NULL || !lac_field_scene_get_velocity(scene, pane, channels) ||
      channels[1] >= scene->frame->n_planes || channels[0] >= scene->frame->n_planes)
    return FALSE;
  *vectors =
    (LacVectorPlane){&scene->frame->planes[channels[0]], &scene->frame->planes[channels[1]],
                     scene->channels[channels[0]].periodic};
  return vectors->u->nx == vectors->v->nx && vectors->u->ny == vectors->v->ny &&
         vectors->u->nx > 1 && vectors->u->ny > 1;
}

gboolean
lac_field_flow_is_there(const LacFieldScene *scene)
{
  gsize channels[2];
  return scene->n_panes > 0 && lac_field_scene_get_velocity(scene, 0, channels);
}

/* ---- smeared noise ---- */

static void
smear(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  for (guint i = 0; i < job->n; i++) {
    if (!job->has[i] || g_cancellable_is_cancelled(cancellable))
      continue;
    const LacPlane *u = &job->frame->planes[job->channels[i][0]];
    LacVectorPlane  vectors = {u, &job->frame->planes[job->channels[i][1]], job->periodic[i]};
    double          corner[2], end[2];
    lac_plane_locate(u, (double[]){0, 0}, corner);
    lac_plane_locate(u, (double[]){1, 1}, end);
    double width = MAX(end[0] - corner[0], 1e-30), height = MAX(end[1] - corner[1], 1e-30);
    double longer = MAX(width, height);
    gsize  nx = (gsize) MAX(ceil(TEXTURE * width / longer), 8);
    gsize  ny = (gsize) MAX(ceil(TEXTURE * height / longer), 8);
    float *texture = g_new(float, nx *ny);
    lac_smear(&vectors, nx, ny, REACH, texture);
    for (gsize k = 0; k < nx * ny; k++)
      texture[k] = CLAMP(0.5F + CONTRAST * (texture[k] - 0.5F), 0, 1);
    job->smears[i] = (LacSmear){0, nx, ny, texture};
  }
  g_task_return_boolean(task, TRUE);
}

static void
on_smeared(GObject *source, GAsyncResult *result, gpointer user_data)
{
  LacFieldFlow *flow = user_data;
  Job          *job = g_task_get_task_data(G_TASK(result));
  if (g_cancellable_is_cancelled(g_task_get_cancellable(G_TASK(result))))
    return; /* @flow may be gone */
  g_clear_object(&flow->job);
  clear_smears(flow);
  flow->smeared = lac_frame_ref(job->frame);
  for (guint i = 0; i < N_PANES; i++) {
    flow->smears[i] = job->smears[i];
    flow->smears[i].id = ++flow->last_id;
    flow->smear_sources[i] = job->channels[i][0];
    job->smears[i].data = NULL;
  }
  flow->changed(flow->user_data);
}

typedef struct {
  LacFieldFlow *flow;
  Job          *job;
} Start;

static gboolean
on_settled(gpointer user_data)
{
  Start        *start = user_data;
  LacFieldFlow *flow = start->flow;
  flow->settle = 0;
  flow->job = g_cancellable_new();
  g_autoptr(GTask) task = g_task_new(NULL, flow->job, on_smeared, flow);
  g_task_set_task_data(task, g_steal_pointer(&start->job), free_job);
  g_task_run_in_thread(task, smear);
  return G_SOURCE_REMOVE;
}

static void
free_start(gpointer data)
{
  Start *start = data;
  g_clear_pointer(&start->job, free_job);
  g_free(start);
}

static gboolean
has_smears(const LacFieldFlow *flow, const LacFieldScene *scene)
{
  gsize channels[2];
  if (flow->smeared == NULL || flow->smeared != scene->frame)
    return FALSE;
  for (guint i = 0; i < scene->n_panes + scene->n_below; i++)
    if (lac_field_scene_get_velocity(scene, i, channels) &&
        (flow->smears[i].data == NULL || flow->smear_sources[i] != channels[0]))
      return FALSE;
  return TRUE;
}

void
lac_field_flow_follow(LacFieldFlow *flow, const LacFieldScene *scene)
{
  stop(flow);
  if (!scene->overlays.texture || scene->frame == NULL || has_smears(flow, scene))
    return;
  Start *start = g_new(Start, 1);
  *start = (Start){flow, g_new0(Job, 1)};
  start->job->frame = lac_frame_ref(scene->frame);
  start->job->n = scene->n_panes + scene->n_below;
  for (guint i = 0; i < start->job->n; i++) {
    LacVectorPlane vectors = {0};
    start->job->has[i] = get_vectors(scene, i, &vectors, start->job->channels[i]);
    start->job->periodic[i] = vectors.periodic;
  }
  flow->settle = g_timeout_add_full(G_PRIORITY_LOW, SETTLE_MS, on_settled, start, free_start);
}

const LacSmear *
lac_field_flow_get_smears(const LacFieldFlow *flow, const LacFieldScene *scene)
{
  return scene->overlays.texture && has_smears(flow, scene) ? flow->smears : NULL;
}

/* ---- lines ---- */

/* White on dark, so that they show on every colour. */
static void
draw_pale(LacDrawing *drawing, GArray *points)
{
  const LacPoint *p = (const LacPoint *) (gconstpointer) points->data;
  lac_draw_lines(drawing, p, points->len, 2.6, (LacColour){0, 0, 0, 0.45F});
  lac_draw_lines(drawing, p, points->len, 1.1, (LacColour){1, 1, 1, 0.95F});
}

static void
add_gap(GArray *points)
{
  const LacPoint gap = {(double) NAN, (double) NAN};
  g_array_append_val(points, gap);
}

static void
add_place(GArray *points, const LacPaneView *view, guint pane, const double place[2])
{
  double   at[2] = {place[0], place[1]}, point[2];
  LacPoint p;
  lac_pane_layout_from_field(view->layout, view->camera, pane, at, point);
  p = (LacPoint){point[0], point[1]};
  g_array_append_val(points, p);
}

/* Of this frame, made once. @source: the channel of the first component */
static const LacStreamlines *
get_lines(LacFieldFlow         *flow,
          LacFrame             *frame,
          guint                 pane,
          const LacVectorPlane *vectors,
          gsize                 source)
{
  if (flow->frame != frame) {
    clear_lines(flow);
    flow->frame = lac_frame_ref(frame);
  }
  if (flow->lines[pane] != NULL && flow->sources[pane] != source)
    g_clear_pointer(&flow->lines[pane], lac_streamlines_free);
  if (flow->lines[pane] == NULL)
    flow->lines[pane] = lac_streamlines_new(vectors, APART);
  flow->sources[pane] = source;
  return flow->lines[pane];
}

static void
draw_streamlines(LacDrawing           *drawing,
                 const LacPaneView    *view,
                 guint                 pane,
                 const LacStreamlines *lines)
{
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  for (guint line = 0, i = 0; line < lines->ends->len; line++) {
    for (; i < g_array_index(lines->ends, guint, line); i++)
      add_place(points, view, pane,
                (const double *) (gconstpointer) (lines->points->data + i * 2 * sizeof(double)));
    add_gap(points);
  }
  draw_pale(drawing, points);
}

static double
fastest(const LacVectorPlane *vectors)
{
  double most = 0;
  for (gsize i = 0; i < vectors->u->nx * vectors->u->ny; i++) {
    double speed = hypot((double) vectors->u->data[i], (double) vectors->v->data[i]);
    if (isfinite(speed))
      most = MAX(most, speed);
  }
  return most;
}

static void
add_arrow(GArray *points, const double from[2], double dx, double dy)
{
  const double back[2] = {-HEAD * dx, -HEAD * dy}, across[2] = {-0.5 * back[1], 0.5 * back[0]};
  LacPoint     tip = {from[0] + dx / 2, from[1] + dy / 2};
  LacPoint     path[5] = {{from[0] - dx / 2, from[1] - dy / 2},
                          tip,
                          {tip.x + back[0] + across[0], tip.y + back[1] + across[1]},
                          tip,
                          {tip.x + back[0] - across[0], tip.y + back[1] - across[1]}};
  g_array_append_vals(points, path, G_N_ELEMENTS(path));
  add_gap(points);
}

/* On a lattice of the field that halves as one comes closer, so that arrows stay where they are while one moves. */
static guint
count_lattice(double length, double zoom)
{
  return 1U << (guint) CLAMP(round(log2(MAX(length * zoom / ARROW_APART, 1))), 0, 12);
}

static void
draw_arrows(LacDrawing *drawing, const LacPaneView *view, guint pane, const LacVectorPlane *vectors)
{
  const LacBox *box = &view->layout->panes[pane];
  double        zoom = view->camera->zoom, most = fastest(vectors);
  guint         nx = count_lattice(view->layout->field_width, zoom);
  guint         ny = count_lattice(view->layout->field_height, zoom);
  double length = MIN(view->layout->field_width / nx, view->layout->field_height / ny) * zoom;
  g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(LacPoint));
  for (guint j = 0; j < ny && most > 0; j++)
    for (guint i = 0; i < nx; i++) {
      double place[2] = {(i + 0.5) / nx, (j + 0.5) / ny}, point[2], speed[2];
      lac_pane_layout_from_field(view->layout, view->camera, pane, place, point);
      if (point[0] < box->x || point[0] > box->x + box->width || point[1] < box->y ||
          point[1] > box->y + box->height || !lac_vector_at(vectors, place, speed))
        continue;
      add_arrow(points, point, speed[0] / most * length * 1.3, -speed[1] / most * length * 1.3);
    }
  draw_pale(drawing, points);
}

void
lac_field_flow_draw(LacFieldFlow *flow, LacDrawing *drawing, const LacPaneView *view, guint pane)
{
  const LacOverlays *overlays = &view->scene->overlays;
  LacVectorPlane     vectors;
  gsize              channels[2];
  if (!(overlays->arrows || overlays->streamlines) ||
      !get_vectors(view->scene, pane, &vectors, channels))
    return;
  if (overlays->streamlines)
    draw_streamlines(drawing, view, pane,
                     get_lines(flow, view->scene->frame, pane, &vectors, channels[0]));
  if (overlays->arrows)
    draw_arrows(drawing, view, pane, &vectors);
}
