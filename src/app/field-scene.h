/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the field viewer shows: one quantity of one frame, a pane a source, their scales. No widget and no OpenGL, so
 * that the shader, the processor's painter and the tests work from the same facts. */
#pragma once

#include "app/pane-layout.h"
#include "field/frame.h"
#include "report/colour-map.h"

G_BEGIN_DECLS

#define LAC_MAX_QUANTITIES 16

typedef enum {
  LAC_VIEW_FIELDS,    /* the truth and every source under one scale; a lone source with its error */
  LAC_VIEW_ERRORS,    /* the truth and every source's signed error */
  LAC_VIEW_DEVIATION, /* what the sources say of their own uncertainty */
} LacViewMode;

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
  LacFrame         *frame;    /* (nullable) */
  guint             quantity; /* index into @quantities */
  guint             n_quantities;
  const char       *quantities[LAC_MAX_QUANTITIES]; /* in the order of the channels */
  LacViewMode       mode;
  guint             n_panes;
  guint    n_below; /* panes after these: the sources' errors, under them where there is room */
  LacPane  panes[2 * LAC_MAX_PANES];
  gboolean smooth;                     /* interpolate between cells */
  LacScale locked[LAC_MAX_QUANTITIES]; /* of truth and sources */
  LacScale error, deviation;           /* of all errors, of all deviations */
  gint64   shrink_ns; /* since when the errors have been small for their scale; 0: they are not */
} LacFieldScene;

void lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels);
void lac_field_scene_clear(LacFieldScene *scene);

/* Returns: (transfer full): the name of a quantity for a person: "vorticity", "q criterion". */
char *lac_field_scene_dup_quantity(const LacFieldScene *scene, guint quantity);

void lac_field_scene_set_quantity(LacFieldScene *scene, guint quantity);
void lac_field_scene_set_mode(LacFieldScene *scene, LacViewMode mode);
/* Whether @mode shows the quantity differently from %LAC_VIEW_FIELDS. */
gboolean lac_field_scene_has_mode(const LacFieldScene *scene, LacViewMode mode);

/* Holds the planes of the quantity at least: derived ones may be missing while another is shown.
 * Takes a reference; grows the locked scale, follows the errors' scale. */
void lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame);

/* Width over height where both axes measure the same thing, else 0. */
double lac_field_scene_get_aspect(const LacFieldScene *scene);

const LacChannel *lac_field_scene_get_channel(const LacFieldScene *scene, guint pane);

/* Returns: (transfer full): what stands over a pane: whose field or error it is, translated. */
char *lac_field_scene_dup_title(const LacFieldScene *scene, guint pane);

/* The value a pane shows at (u, v), 0...1 each, v upward; NaN outside. Cells as they are, or interpolated. */
float lac_field_scene_sample(const LacFieldScene *scene, guint pane, double u, double v);

/* Physical coordinates of (u, v), and back. */
void lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y);
void lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2]);

G_END_DECLS
