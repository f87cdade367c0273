/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Picture of a volume: density integrated along lines of sight, an isosurface that encloses a given fraction of the
 * integral, particles, and the slice plane; and the slice itself with isolines and nuclei. Rays are cast by the GPU
 * in the window, and by the CPU for figures or where there is no GPU. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"
#include "report/canvas/palette.h"
#include "report/canvas/vision.h"
#include "report/volume/volume.h"

G_BEGIN_DECLS

/* Camera, slice and isosurface. */
typedef struct {
  LacOrbit   orbit;
  LacCutKind cut;
  double     offset; /* shift of the slice along its normal */
  double     share;  /* fraction of the integral inside the surface; 0: no surface */
} LacVolumeView;

#define LAC_VOLUME_VIEW_START ((LacVolumeView){LAC_ORBIT_START, LAC_CUT_NUCLEI, 0, 0.7})

enum { LAC_CUT_CELLS = 96 };

typedef struct {
  LacChannel          channel;
  const LacColourMap *map; /* converted for the simulated colour vision */
  LacVision           vision;
  LacFrame           *frame;  /* (nullable) */
  gsize               plane;  /* index of the channel's plane in the frame */
  LacVolume           cells;  /* unsmoothed counts */
  LacVolume           volume; /* smoothed, for display */
  float              *smoothed;
  double              level;               /* isosurface value, also the boldest isoline */
  double              lines[2], values[2]; /* log10 colour range: integrals; values */
  LacCut              cut;
  LacPlane            slice;  /* slice of @cells: log10 of the values */
  LacPlane            smooth; /* slice of @volume: values */
} LacVolumeScene;

/* @channel: a volume, with layers; its strings are borrowed. */
void lac_volume_scene_init(LacVolumeScene *scene, const LacChannel *channel, gsize plane);
void lac_volume_scene_clear(LacVolumeScene *scene);

/* Converts the colour map for a simulated colour vision. */
void lac_volume_scene_set_vision(LacVolumeScene *scene, LacVision vision);

/* Takes a reference to @frame. Returns: FALSE if the plane is not a volume; the scene is then empty. */
gboolean lac_volume_scene_set_frame(LacVolumeScene      *scene,
                                    LacFrame            *frame,
                                    const LacVolumeView *volume_view);
/* Updates the surface level and the slice for another view of the same frame. */
void lac_volume_scene_follow(LacVolumeScene *scene, const LacVolumeView *volume_view);

LacVolumeCamera lac_volume_scene_camera(const LacVolumeScene *scene,
                                        const LacVolumeView  *volume_view);

/* Colour of the translucent surface, composited over the map's colour along a line of sight. */
extern const float lac_volume_surface[3];

/* Renders the picture on the CPU. @rgba: [rows][columns][4], top row first */
void lac_volume_scene_paint(const LacVolumeScene *scene,
                            const LacVolumeView  *volume_view,
                            gsize                 columns,
                            gsize                 rows,
                            guint8               *rgba);

typedef struct {
  double   x, y, width, height, font_size;
  gboolean electrons;
} LacVolumePlace;

/* Draws over the picture: outline of the slice, axes, electrons and nuclei. */
void lac_volume_scene_draw_things(LacDrawing           *drawing,
                                  const LacVolumeScene *scene,
                                  const LacVolumeView  *volume_view,
                                  const LacVolumePlace *place);

/* Draws the slice: colours, isolines, nuclei. */
void lac_volume_scene_draw_cut(LacDrawing           *drawing,
                               const LacVolumeScene *scene,
                               const LacVolumePlace *place);

typedef enum { LAC_VOLUME_LINES, LAC_VOLUME_VALUES } LacVolumeScaleKind;

#define LAC_VOLUME_BAR_ROOM 4.2 /* height of the bar with its texts, in font sizes */

/* Draws the colour bar of the picture or of the slice, in the width of @place; numbers and label below it. */
void lac_volume_scene_draw_bar(LacDrawing           *drawing,
                               const LacVolumeScene *scene,
                               LacVolumeScaleKind    kind,
                               const LacVolumePlace *place,
                               const LacPalette     *palette);

G_END_DECLS
