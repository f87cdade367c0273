/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of the field viewer: one quantity of one frame, one pane per source, scales. Uses no widget and no OpenGL:
 * shared by the shader, the CPU painter and the tests. */
#pragma once

#include "app/field/pane-layout.h"
#include "field/error-form.h"
#include "field/frame.h"
#include "field/transfer.h"
#include "report/canvas/flow-lines.h"
#include "report/canvas/vision.h"
#include "report/plot/plot.h"

G_BEGIN_DECLS

#define LAC_MAX_QUANTITIES 16

#define LAC_ONE_SIGNED_MAP "dusk" /* in place of a diverging map, for values of one sign */

typedef enum {
  LAC_VIEW_BOTH,   /* the fields, with the signed errors below */
  LAC_VIEW_FIELDS, /* the truth and all sources on one scale; of two runs with their difference */
  LAC_VIEW_ERRORS, /* the truth and each source's signed error */
  LAC_VIEW_DEVIATION, /* each source's own uncertainty estimate */
  LAC_VIEW_VOLUME,    /* 3D channels, shown by app/volume-viewer.h */
  /* modes with one pane; the two fields of a pair are the truth (else the first source) and the chosen source */
  LAC_VIEW_SWIPE,      /* split by a movable handle */
  LAC_VIEW_FADE,       /* blended */
  LAC_VIEW_FLICKER,    /* alternating */
  LAC_VIEW_DIFFERENCE, /* the second minus the first */
  LAC_VIEW_LARGE,      /* a single field, enlarged */
  LAC_N_VIEWS
} LacViewMode;

/* Flicker rate: cycles (both fields) per second. */
#define LAC_FLICKER_LEAST 0.5
#define LAC_FLICKER_MOST  8.0
#define LAC_FLICKER_CALM  3.0 /* limit under reduced motion: safe for photosensitive users */

typedef struct {
  double low, high;
} LacScale;

typedef struct {
  gsize plane; /* index of the channel shown, or of the minuend */
  gsize
                      other; /* second channel: subtrahend if @difference; right of the handle if @swipe; blended in if @fade */
  gboolean            difference, swipe, fade;
  float               factor; /* factor of a relative error, see field/error-form.h */
  const LacColourMap *map;
  LacScale            scale;
  LacWarp             warp; /* transfer function of the scale */
  guint               n_levels;
  double              levels[LAC_MAX_LEVELS]; /* isolines, ascending: the ticks of the colour bar */
} LacPane;

/* The user's settings of a scale; changed through app/field-scale.h. */
typedef struct {
  gboolean            locked; /* fixed at @limits */
  LacScale            limits;
  LacTransfer         transfer;
  const LacColourMap *map; /* (nullable): replaces the channel's default */
} LacScaleChoice;

/* Overlays of the cells, in any combination. */
typedef struct {
  gboolean    isolines;
  LacFlowLook flow;
  gboolean    axes; /* ticks along the sides */
} LacOverlays;

typedef struct {
  const LacChannel *channels; /* borrowed for the life of the scene */
  gsize             n_channels;
  LacFrame         *frame;    /* (nullable) */
  guint             quantity; /* index into @quantities */
  guint             n_quantities;
  const char       *quantities[LAC_MAX_QUANTITIES]; /* in channel order */
  LacViewMode       mode;
  guint             n_panes;
  guint
           n_below; /* error panes stored after the first @n_panes, drawn below their sources if there is room */
  LacPane  panes[2 * LAC_MAX_PANES];
  gboolean smooth;   /* interpolate between cells */
  gboolean compares; /* the "truth" is the field of another run */
  double
           marker_radius; /* of the markers' circles in axis units; 0: rings of one size; negative: no markers */
  guint    chosen; /* index of the source in modes with one pane, modulo the number of sources */
  double   swipe;  /* position u of the handle, 0...1; for a fade the weight of the second field */
  gboolean shows_second;               /* flicker phase: TRUE while the second field is shown */
  LacErrorForm errors;                 /* form in which errors are shown */
  LacVision    vision;                 /* colour vision simulated */
  LacScale locked[LAC_MAX_QUANTITIES]; /* common scale of the truth and the sources, per quantity */
  gboolean one_scale;                  /* all errors share one scale; FALSE: each has its own */
  LacScale errors_of[2 * LAC_MAX_PANES]; /* scale of the error in each pane */
  LacScale deviation;                    /* scale of all deviations */
  LacScale seen[LAC_MAX_QUANTITIES]; /* smallest and largest value so far of what sets the scale */
  LacScaleChoice choices[LAC_MAX_QUANTITIES], error_choices[LAC_N_ERROR_FORMS];
  LacOverlays    overlays;
  /* time since which the error would fit a smaller scale (adopted after a delay); 0: it would not */
  gint64 shrink_ns[2 * LAC_MAX_PANES];
  guint *
    ranks; /* (nullable): [n_channels] position of each source; ties keep the order of the channels */
} LacFieldScene;

void lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels);
void lac_field_scene_clear(LacFieldScene *scene);

/* Returns: (transfer full): the display name of a quantity, for example "vorticity" or "q criterion". */
char *lac_field_scene_dup_quantity(const LacFieldScene *scene, guint quantity);

void lac_field_scene_set_quantity(LacFieldScene *scene, guint quantity);
/* @compares: the "truth" is the field of another run; the difference is then one of the panes. */
void lac_field_scene_set_compares(LacFieldScene *scene, gboolean compares);
void lac_field_scene_set_mode(LacFieldScene *scene, LacViewMode mode);
void lac_field_scene_set_errors(LacFieldScene *scene, LacErrorForm form);
void lac_field_scene_set_one_scale(LacFieldScene *scene, gboolean one_scale);
/* @ranks: [n_channels], copied: sources are shown by ascending rank. Returns: TRUE if that changes their order. */
gboolean lac_field_scene_set_ranks(LacFieldScene *scene, const guint *ranks);
/* Returns: TRUE if the quantity has never had values of both signs, so that a sequential map fits it. */
gboolean lac_field_scene_is_one_signed(const LacFieldScene *scene, guint quantity);
void     lac_field_scene_set_vision(LacFieldScene *scene, LacVision vision);
/* Returns: TRUE if @mode shows the quantity differently from %LAC_VIEW_FIELDS. */
gboolean lac_field_scene_has_mode(const LacFieldScene *scene, LacViewMode mode);

/* Gets the two fields that the present mode shows in one pane. Returns: FALSE if there are no two fields to show. */
gboolean lac_field_scene_get_pair(const LacFieldScene *scene, gsize channels[2]);
void     lac_field_scene_choose(LacFieldScene *scene, guint source);
void     lac_field_scene_show_second(LacFieldScene *scene, gboolean second);
/* Returns: milliseconds per field of a flicker. @calm: reduced motion is requested. */
guint lac_flicker_interval(double rate, gboolean calm);

/* @frame: must hold at least the planes of the quantity shown; derived planes of other quantities may be missing.
 * Takes a reference; grows the locked scale, updates the errors' scale. */
void lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame);

/* Returns: width over height if both axes have the same unit, else 0. */
double lac_field_scene_get_aspect(const LacFieldScene *scene);

const LacChannel *lac_field_scene_get_channel(const LacFieldScene *scene, guint pane);

/* Returns: (transfer full): the title of a pane, which names its field or error, translated. */
char *lac_field_scene_dup_title(const LacFieldScene *scene, guint pane);
/* Like lac_field_scene_dup_title(), with errors in the form @form. */
char *lac_field_scene_dup_title_as(const LacFieldScene *scene, guint pane, LacErrorForm form);

/* Finds the velocity that belongs to the source shown in a pane. Returns: FALSE if the run has none. */
gboolean lac_field_scene_get_velocity(const LacFieldScene *scene, guint pane, gsize channels[2]);

/* Returns: the value of a pane at (u, v), 0...1 each, v upward; NaN outside. Interpolated if the scene is smooth. */
float lac_field_scene_sample(const LacFieldScene *scene, guint pane, double u, double v);

/* Like lac_field_scene_sample(), interpolated or not; clamps to the edge. Needs a frame. */
float lac_field_scene_sample_as(const LacFieldScene *scene,
                                guint                pane,
                                double               u,
                                double               v,
                                gboolean             smooth);

/* Like lac_field_scene_sample(), in the unit of the quantity; errors are signed whatever form is shown. */
float lac_field_scene_read(const LacFieldScene *scene, guint pane, double u, double v);

/* Like lac_field_scene_sample(), for any channel, shown or not. */
float lac_field_scene_sample_channel(const LacFieldScene *scene, gsize channel, double u, double v);

/* Convert (u, v) to physical coordinates, and the position of a marker to (u, v). */
void lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y);
void lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2]);

G_END_DECLS
