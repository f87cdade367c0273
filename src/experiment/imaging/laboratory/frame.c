/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of an imaging run: the object as truth, solvers and yardsticks have it, its spectrum, what has been seen of that, and the
 * detector at the current aperture. Rows of an image go downwards, those of a plane upwards. */
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

/* The planes of a frame one after the other. */
typedef struct {
  LacImagingState *state;
  LacPlane        *next;
  gsize            visit; /* of the detector */
} Filling;

static void
set_axes(LacPlane *plane, double first, double step)
{
  const double last = first + step * ((double) plane->nx - 1);

  plane->x_min = first;
  plane->x_max = last;
  plane->y_min = -last;
  plane->y_max = -first;
}

/* @image: [n][n] */
static void
fill_image(LacPlane *plane, const double *image, double first, double step)
{
  const gsize n = plane->nx;

  for (gsize y = 0; y < n; y++)
    for (gsize x = 0; x < n; x++)
      plane->data[(n - 1 - y) * n + x] = (float) image[y * n + x];
  set_axes(plane, first, step);
  lac_plane_measure(plane);
}

static void
add_object(Filling *to, const double *image)
{
  const LacExposures *exposures = to->state->exposures;
  const double        first = (double) ((exposures->grid - exposures->support) / 2);

  fill_image(to->next++, image, first - (double) (exposures->grid / 2), 1);
}

static void
finish_window(const LacImagingState *state, LacPlane *plane)
{
  set_axes(plane, -(double) (state->spectrum.window / 2), 1);
  lac_plane_measure(plane);
}

static void
add_truth_spectrum(Filling *to)
{
  const LacSpectrumView *view = &to->state->spectrum;

  memcpy(to->next->data, view->truth, view->window * view->window * sizeof(float));
  finish_window(to->state, to->next++);
}

/* Returns how many of the exposures, in their order, solver @s has taken in. */
static gsize
count_visited(const LacImagingState *state, guint s)
{
  const LacImagingSeat *seat = &state->seats[s];

  if (!seat->solver->n_visited)
    return state->exposures->n_visits;
  return MIN(seat->solver->n_visited(seat->self), state->exposures->n_visits);
}

static void
add_coverage(Filling *to)
{
  LacImagingState *state = to->state;

  lac_spectrum_view_fill_coverage(&state->spectrum, count_visited(state, 0), to->next->data);
  finish_window(state, to->next++);
}

static void
add_detector(Filling *to, const double *image)
{
  const double d = (double) to->state->exposures->d;
  const double step = (double) to->state->exposures->grid / d;

  fill_image(to->next++, image, -step * (double) (to->state->exposures->d / 2), step);
}

static void
add_phase(Filling *to, const double complex *object)
{
  const gsize n = to->state->side * to->state->side;

  for (gsize i = 0; i < n; i++)
    to->state->image[i] = carg(object[i]);
  add_object(to, to->state->image);
}

static void
add_amplitudes(Filling *to)
{
  LacImagingState *state = to->state;

  if (state->truth)
    add_object(to, state->modulus);
  for (guint s = 0; s < state->turns.n; s++) {
    state->seats[s].solver->object(state->seats[s].self, state->object);
    lac_imaging_show(state->problem.is_real, state->object, state->side * state->side,
                     state->image);
    add_object(to, state->image);
  }
  add_object(to, state->yardsticks[LAC_YARDSTICK_SINGLE]);
  if (state->truth)
    add_object(to, state->yardsticks[LAC_YARDSTICK_BAND]);
}

static void
add_phases(Filling *to)
{
  LacImagingState *state = to->state;

  if (state->problem.is_real)
    return;
  if (state->truth)
    add_phase(to, state->truth);
  for (guint s = 0; s < state->turns.n; s++) {
    state->seats[s].solver->object(state->seats[s].self, state->object);
    add_phase(to, state->object);
  }
}

static void
add_spectra(Filling *to)
{
  LacImagingState *state = to->state;

  if (state->truth)
    add_truth_spectrum(to);
  for (guint s = 0; s < state->turns.n; s++) {
    state->seats[s].solver->object(state->seats[s].self, state->object);
    lac_spectrum_view_fill(&state->spectrum, state->object, to->next->data);
    finish_window(state, to->next++);
  }
}

static void
add_detectors(Filling *to)
{
  LacImagingState *state = to->state;

  add_detector(to, lac_exposures_image(state->exposures, to->visit));
  for (guint s = 0; s < state->turns.n; s++) {
    state->seats[s].solver->predict(state->seats[s].self, to->visit, state->image);
    add_detector(to, state->image);
  }
}

/* The exposure that is worked on; of a solver that takes all at once another one at each step. */
static gsize
current_visit(const LacImagingState *state)
{
  const gsize n = state->exposures->n_visits, visited = count_visited(state, 0);

  if (visited < n)
    return visited > 0 ? visited - 1 : 0;
  return (gsize) (state->turns.step % (gint64) n);
}

/* In the middle of a line. What has not been visited is nowhere. */
static void
fill_markers(const LacImagingState *state, gsize current, LacFrame *frame)
{
  const gsize visited = count_visited(state, 0);

  for (gsize i = 0; i < frame->n_markers; i++) {
    const gboolean  is_current = i + 1 == frame->n_markers;
    const gsize     v = is_current ? current : i;
    const LacVisit *visit = &state->exposures->visits[v];
    const gboolean  is_there = v < visited || is_current;

    frame->markers[i] = (LacMarker){
      .x = is_there ? (visit->x + visit->end_x) / 2 : (double) NAN,
      .y = is_there ? -(visit->y + visit->end_y) / 2 : (double) NAN,
      .kind = g_intern_static_string(is_current ? "selected" : "aperture"),
    };
  }
}

void
lac_imaging_shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const LacImagingState *state = data;
  const gsize            n_truth = state->truth != NULL, n_solvers = state->turns.n;
  const gsize            n_objects = n_truth + n_solvers + 1 + n_truth;
  const gsize            n_phases = state->problem.is_real ? 0 : n_truth + n_solvers;
  const gsize            n_windows = n_truth + n_solvers + 1;
  const gsize            ends[] = {n_objects + n_phases, n_objects + n_phases + n_windows,
                                   n_objects + n_phases + n_windows + 1 + n_solvers};
  const gsize            sides[] = {state->side, state->spectrum.window, state->exposures->d};
  gsize                  next = 0;

  for (guint kind = 0; kind < G_N_ELEMENTS(ends); kind++)
    for (; next < ends[kind]; next++)
      sizes[next][0] = sizes[next][1] = sides[kind];
  lac_imaging_shape_charts(state, sizes + next);
  *n_markers = state->exposures->n_visits + 1;
}

void
lac_imaging_snapshot(gpointer data, LacFrame *frame)
{
  LacImagingState *state = data;
  Filling          to = {state, frame->planes, current_visit(state)};

  add_amplitudes(&to);
  add_phases(&to);
  add_spectra(&to);
  add_coverage(&to);
  add_detectors(&to);
  lac_imaging_fill_charts(state, to.next);
  fill_markers(state, to.visit, frame);
}
