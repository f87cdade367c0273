/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the field viewer shows: one quantity of one frame, a pane a source, their scales. No widget and no OpenGL, so
 * that the shader, the processor's painter and the tests work from the same facts. */
#pragma once

#include "app/pane-layout.h"
#include "field/error-form.h"
#include "field/frame.h"
#include "field/transfer.h"
#include "report/canvas/flow-lines.h"
#include "report/canvas/vision.h"
#include "report/plot/plot.h"

G_BEGIN_DECLS

#define LAC_MAX_QUANTITIES 16

typedef enum {
  LAC_VIEW_FIELDS,    /* the truth and every source under one scale; a lone source with its error */
  LAC_VIEW_ERRORS,    /* the truth and every source's signed error */
  LAC_VIEW_DEVIATION, /* what the sources say of their own uncertainty */
  LAC_VIEW_VOLUME,    /* what there is in space: app/volume-viewer.h shows it */
  /* one pane of two fields: the truth, or else the first source, and the chosen source */
  LAC_VIEW_SWIPE,      /* one left of a handle, the other right of it */
  LAC_VIEW_FADE,       /* one through the other, like on tracing paper */
  LAC_VIEW_FLICKER,    /* one after the other */
  LAC_VIEW_DIFFERENCE, /* the second minus the first */
  LAC_VIEW_LARGE,      /* one of all of them */
  LAC_N_VIEWS
} LacViewMode;

/* Times a second that both fields of a flicker are seen. */
#define LAC_FLICKER_LEAST 0.5
#define LAC_FLICKER_MOST  8.0
#define LAC_FLICKER_CALM  3.0 /* most for who asked for less motion: below what can harm */

typedef struct {
  double low, high;
} LacScale;

typedef struct {
  gsize plane; /* shown, or subtracted from */
  gsize
                      other; /* subtracted, when @difference; right of the handle, when @swipe; seen through, when @fade */
  gboolean            difference, swipe, fade;
  float               factor; /* of a relative error: field/error-form.h */
  const LacColourMap *map;
  LacScale            scale;
  LacWarp             warp; /* of the scale */
  guint               n_levels;
  double levels[LAC_MAX_LEVELS]; /* of isolines, ascending: the marks of the colour bar */
} LacPane;

/* What a person made of a scale; app/field-scale.h changes it. */
typedef struct {
  gboolean            locked; /* at @limits, which nothing but a person moves */
  LacScale            limits;
  LacTransfer         transfer;
  const LacColourMap *map; /* (nullable): in place of the channel's own */
} LacScaleChoice;

/* What is drawn over the cells, in any combination. */
typedef struct {
  gboolean    isolines;
  LacFlowLook flow;
  gboolean    axes; /* numbers along the sides */
} LacOverlays;

typedef struct {
  const LacChannel *channels; /* borrowed for the life of the scene */
  gsize             n_channels;
  LacFrame         *frame;    /* (nullable) */
  guint             quantity; /* index into @quantities */
  guint             n_quantities;
  const char       *quantities[LAC_MAX_QUANTITIES]; /* in the order of the channels */
  LacViewMode       mode;
  guint             n_panes;
  guint        n_below; /* panes after these: the sources' errors, under them where there is room */
  LacPane      panes[2 * LAC_MAX_PANES];
  gboolean     smooth;       /* interpolate between cells */
  gboolean     compares;     /* what is called the truth is the field of another run */
  guint        chosen;       /* of the sources, where one pane shows one of them; any number */
  double       swipe;        /* the handle: u, 0...1; of a fade the share of the second field */
  gboolean     shows_second; /* of a flicker */
  LacErrorForm errors;       /* what is shown of them */
  LacVision    vision;       /* with whose eyes the colours are seen */
  LacScale     locked[LAC_MAX_QUANTITIES]; /* of truth and sources */
  LacScale     error, deviation;           /* of all errors, of all deviations */
  LacScaleChoice choices[LAC_MAX_QUANTITIES], error_choices[LAC_N_ERROR_FORMS];
  LacOverlays    overlays;
  gint64 shrink_ns; /* since when the errors have been small for their scale; 0: they are not */
} LacFieldScene;

void lac_field_scene_init(LacFieldScene *scene, const LacChannel *channels, gsize n_channels);
void lac_field_scene_clear(LacFieldScene *scene);

/* Returns: (transfer full): the name of a quantity for a person: "vorticity", "q criterion". */
char *lac_field_scene_dup_quantity(const LacFieldScene *scene, guint quantity);

void lac_field_scene_set_quantity(LacFieldScene *scene, guint quantity);
void lac_field_scene_set_mode(LacFieldScene *scene, LacViewMode mode);
void lac_field_scene_set_errors(LacFieldScene *scene, LacErrorForm form);
void lac_field_scene_set_vision(LacFieldScene *scene, LacVision vision);
/* Whether @mode shows the quantity differently from %LAC_VIEW_FIELDS. */
gboolean lac_field_scene_has_mode(const LacFieldScene *scene, LacViewMode mode);

/* The two fields that one pane shows in turn or beside each other. Returns: FALSE where the mode has none. */
gboolean lac_field_scene_get_pair(const LacFieldScene *scene, gsize channels[2]);
void     lac_field_scene_choose(LacFieldScene *scene, guint source);
void     lac_field_scene_show_second(LacFieldScene *scene, gboolean second);
/* Milliseconds that each field of a flicker is shown. @calm: less motion was asked for. */
guint lac_flicker_interval(double rate, gboolean calm);

/* Holds the planes of the quantity at least: derived ones may be missing while another is shown.
 * Takes a reference; grows the locked scale, follows the errors' scale. */
void lac_field_scene_set_frame(LacFieldScene *scene, LacFrame *frame);

/* Width over height where both axes measure the same thing, else 0. */
double lac_field_scene_get_aspect(const LacFieldScene *scene);

const LacChannel *lac_field_scene_get_channel(const LacFieldScene *scene, guint pane);

/* Returns: (transfer full): what stands over a pane: whose field or error it is, translated. */
char *lac_field_scene_dup_title(const LacFieldScene *scene, guint pane);
/* The same of an error in another form than it is shown in. */
char *lac_field_scene_dup_title_as(const LacFieldScene *scene, guint pane, LacErrorForm form);

/* The velocity of the source whose field or error a pane shows. Returns: FALSE where the run does not tell it. */
gboolean lac_field_scene_get_velocity(const LacFieldScene *scene, guint pane, gsize channels[2]);

/* The value a pane shows at (u, v), 0...1 each, v upward; NaN outside. Cells as they are, or interpolated. */
float lac_field_scene_sample(const LacFieldScene *scene, guint pane, double u, double v);

/* The same with or without interpolation; beyond the rim what is at the rim. With a frame only. */
float lac_field_scene_sample_as(const LacFieldScene *scene,
                                guint                pane,
                                double               u,
                                double               v,
                                gboolean             smooth);

/* The same in the unit of the quantity, whatever is shown of errors: these with their sign. */
float lac_field_scene_read(const LacFieldScene *scene, guint pane, double u, double v);

/* The same of a channel, whether a pane shows it or not. */
float lac_field_scene_sample_channel(const LacFieldScene *scene, gsize channel, double u, double v);

/* Physical coordinates of (u, v), and back. */
void lac_field_scene_locate(const LacFieldScene *scene, double u, double v, double *x, double *y);
void lac_field_scene_place(const LacFieldScene *scene, const LacMarker *marker, double place[2]);

G_END_DECLS
