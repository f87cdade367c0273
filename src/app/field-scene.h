/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the field viewer shows: one frame, up to three panes of it, their scales. No widget and no OpenGL, so that
 * the shader, the processor's painter and the tests work from the same facts. */
#pragma once

#include "app/pane-layout.h"
#include "field/frame.h"
#include "report/colour-map.h"

G_BEGIN_DECLS

typedef struct {
  double low, high;
} LacScale;

typedef struct {
  gsize               plane; /* shown, or subtracted from */
  gsize               other; /* subtracted, when @difference */
  gboolean            difference;
  const LacColourMap *map;
  LacScale            scale;
} LacPane;

typedef struct {
  const LacChannel *channels; /* borrowed for the life of the scene */
  gsize             n_channels;
  LacFrame         *frame; /* (nullable) */
  guint             n_panes;
  LacPane           panes[LAC_MAX_PANES];
  gboolean          baseline;  /* the baseline stands where the reconstruction does */
  gboolean          smooth;    /* interpolate between cells */
  gint64            shrink_ns; /* since when the error has been small for its scale; 0: it is not */
  LacScale          locked;    /* of the pair */
} LacFieldScene;

void     lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels);
void     lac_field_scene_clear(LacFieldScene *scene);
gboolean lac_field_scene_has_baseline(const LacFieldScene *scene);
void     lac_field_scene_set_baseline(LacFieldScene *scene, gboolean baseline);

/* Takes a reference; grows the locked scale, follows the error's scale. */
void lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame);

/* Width over height where both axes measure the same thing, else 0. */
double lac_field_scene_get_aspect(const LacFieldScene *scene);

const LacChannel *lac_field_scene_get_channel(const LacFieldScene *scene, guint pane);

/* The value a pane shows at (u, v), 0...1 each, v upward; NaN outside. Cells as they are, or interpolated. */
float lac_field_scene_sample(const LacFieldScene *scene, guint pane, double u, double v);

/* Physical coordinates of (u, v). */
void lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y);

/* Where a marker lies as (u, v). */
void lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2]);

G_END_DECLS
