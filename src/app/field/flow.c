/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows, streamlines, line integral convolution. */
#include "app/field/flow.h"

#include "app/toolkit/latest-job.h"
#include "report/canvas/flow-lines.h"

#define SETTLE_MS 200 /* pause without a new frame before the LIC texture is computed */
#define N_PANES   (2 * LAC_MAX_PANES)

struct _LacFieldFlow {
  void (*changed)(gpointer user_data);
  gpointer        user_data;
  LacFrame       *frame; /* frame of the lines */
  gsize           sources[N_PANES];
  LacStreamlines *lines[N_PANES];
  LacFrame       *smeared; /* frame of the LIC texture */
  gsize           smear_sources[N_PANES];
  LacSmear        smears[N_PANES];
  guint64         last_id;
  LacLatestJob   *smearing;
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

void
lac_field_flow_free(LacFieldFlow *flow)
{
  if (flow == NULL)
    return;
  lac_latest_job_free(flow->smearing);
  clear_lines(flow);
  clear_smears(flow);
  g_free(flow);
}

static gboolean
get_vectors(const LacFieldScene *scene, guint pane, LacVectorPlane *vectors, gsize channels[2])
{
  return scene->frame != NULL && lac_field_scene_get_velocity(scene, pane, channels) &&
         lac_vector_plane_init(vectors, scene->frame, channels,
                               scene->channels[channels[0]].periodic);
}

gboolean
lac_field_flow_is_there(const LacFieldScene *scene)
{
  gsize channels[2];
  return scene->n_panes > 0 && lac_field_scene_get_velocity(scene, 0, channels);
}

/* ---- smeared noise ---- */

static gpointer
smear(gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  for (guint i = 0; i < job->n; i++) {
    if (!job->has[i] || g_cancellable_is_cancelled(cancellable))
      continue;
    LacVectorPlane vectors;
    LacSmear      *made = &job->smears[i];
    if (lac_vector_plane_init(&vectors, job->frame, job->channels[i], job->periodic[i]))
      made->data = lac_flow_texture(&vectors, &made->nx, &made->ny);
  }
  return NULL;
}

static void
on_smeared(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacFieldFlow *flow = owner;
  Job          *job = request;
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

LacFieldFlow *
lac_field_flow_new(void (*changed)(gpointer user_data), gpointer user_data)
{
  LacFieldFlow *flow = g_new0(LacFieldFlow, 1);
  flow->changed = changed;
  flow->user_data = user_data;
  flow->smearing = lac_latest_job_new(flow, &(LacJobKind){
                                              .work = smear,
                                              .show = on_smeared,
                                              .free_request = free_job,
                                              .delay_ms = SETTLE_MS,
                                              .priority = G_PRIORITY_LOW,
                                            });
  return flow;
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
  lac_latest_job_cancel(flow->smearing);
  if (!scene->overlays.flow.texture || scene->frame == NULL || has_smears(flow, scene))
    return;
  Job *job = g_new0(Job, 1);
  job->frame = lac_frame_ref(scene->frame);
  job->n = scene->n_panes + scene->n_below;
  for (guint i = 0; i < job->n; i++) {
    LacVectorPlane vectors = {0};
    job->has[i] = get_vectors(scene, i, &vectors, job->channels[i]);
    job->periodic[i] = vectors.periodic;
  }
  lac_latest_job_start(flow->smearing, job);
}

const LacSmear *
lac_field_flow_get_smears(const LacFieldFlow *flow, const LacFieldScene *scene)
{
  return scene->overlays.flow.texture && has_smears(flow, scene) ? flow->smears : NULL;
}

/* ---- lines ---- */

/* Returns: the lines of @frame, computed once. @source: channel of the first component */
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
    flow->lines[pane] = lac_streamlines_new(vectors, LAC_FLOW_APART);
  flow->sources[pane] = source;
  return flow->lines[pane];
}

static LacFlowGround
get_ground(const LacPaneView *view, guint pane)
{
  LacBox field = {.width = view->layout->field_width * view->camera->zoom,
                  .height = view->layout->field_height * view->camera->zoom};
  double corner[2];
  lac_pane_layout_from_field(view->layout, view->camera, pane, (double[]){0, 1}, corner);
  field.x = corner[0];
  field.y = corner[1];
  return (LacFlowGround){view->layout->panes[pane], field, 1};
}

void
lac_field_flow_draw(LacFieldFlow *flow, LacDrawing *drawing, const LacPaneView *view, guint pane)
{
  const LacFlowLook *look = &view->scene->overlays.flow;
  LacVectorPlane     vectors;
  gsize              channels[2];
  if (!(look->arrows || look->streamlines) || !get_vectors(view->scene, pane, &vectors, channels))
    return;
  const LacFlowGround ground = get_ground(view, pane);
  if (look->streamlines)
    lac_flow_draw_streamlines(
      drawing, get_lines(flow, view->scene->frame, pane, &vectors, channels[0]), &ground);
  if (look->arrows)
    lac_flow_draw_arrows(drawing, &vectors, &ground);
}
