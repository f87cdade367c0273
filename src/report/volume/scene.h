/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a volume: the density along lines of sight with a surface around a share of it, particles and the cut; and the cut
 * by itself with lines of equal value and the nuclei on it. The same for the window, whose graphics card looks along the lines, and
 * for figures and windows without one, for which the processor does. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/colour-map.h"
#include "report/canvas/palette.h"
#include "report/canvas/vision.h"
#include "report/volume/volume.h"

G_BEGIN_DECLS

/* How it is looked at. */
typedef struct {
  LacOrbit   orbit;
  LacCutKind cut;
  double     offset; /* of the cut along its normal */
  double     share;  /* of the integral that the surface holds; 0: there is no surface */
} LacVolumeView;

#define LAC_VOLUME_VIEW_START ((LacVolumeView){LAC_ORBIT_START, LAC_CUT_NUCLEI, 0, 0.7})

enum { LAC_CUT_CELLS = 96 };

typedef struct {
  LacChannel          channel;
  const LacColourMap *map; /* as the vision sees it */
  LacVision           vision;
  LacFrame           *frame;  /* (nullable) */
  gsize               plane;  /* of the channel in it */
  LacVolume           cells;  /* as counted */
  LacVolume           volume; /* smoothed, which is what is looked at */
  float              *smoothed;
  double              level;               /* of the surface, and of the boldest line */
  double              lines[2], values[2]; /* decimal logarithms that the colours span */
  LacCut              cut;
  LacPlane            slice;  /* of @cells: the logarithm */
  LacPlane            smooth; /* of @volume: values */
} LacVolumeScene;

/* @channel: with layers; its texts are borrowed. */
void lac_volume_scene_init(LacVolumeScene *scene, const LacChannel *channel, gsize plane);
void lac_volume_scene_clear(LacVolumeScene *scene);

/* The colours as other eyes see them. */
void lac_volume_scene_set_vision(LacVolumeScene *scene, LacVision vision);

/* Takes a reference. Returns: FALSE: the plane is no volume, and nothing is shown. */
gboolean lac_volume_scene_set_frame(LacVolumeScene      *scene,
                                    LacFrame            *frame,
                                    const LacVolumeView *volume_view);
/* The level and the cut, where another one is wanted of the same frame. */
void lac_volume_scene_follow(LacVolumeScene *scene, const LacVolumeView *volume_view);

LacVolumeCamera lac_volume_scene_camera(const LacVolumeScene *scene,
                                        const LacVolumeView  *volume_view);

/* The colour of a line of sight: the map's, behind the veils of the surface. */
extern const float lac_volume_surface[3];

/* The processor's picture. @rgba: [rows][columns][4], top row first */
void lac_volume_scene_paint(const LacVolumeScene *scene,
                            const LacVolumeView  *volume_view,
                            gsize                 columns,
                            gsize                 rows,
                            guint8               *rgba);

typedef struct {
  double   x, y, width, height, font_size;
  gboolean electrons;
} LacVolumePlace;

/* Above the picture: the cut's outline, the axes, electrons and nuclei. */
void lac_volume_scene_draw_things(LacDrawing           *drawing,
                                  const LacVolumeScene *scene,
                                  const LacVolumeView  *volume_view,
                                  const LacVolumePlace *place);

/* The cut: colours, lines of equal value, nuclei. */
void lac_volume_scene_draw_cut(LacDrawing           *drawing,
                               const LacVolumeScene *scene,
                               const LacVolumePlace *place);

typedef enum { LAC_VOLUME_LINES, LAC_VOLUME_VALUES } LacVolumeScaleKind;

/* The colour bar of the picture, or of the cut, in the place's width; its numbers and label stand below. */
#define LAC_VOLUME_BAR_ROOM 4.2 /* of the letters' size */
void lac_volume_scene_draw_bar(LacDrawing           *drawing,
                               const LacVolumeScene *scene,
                               LacVolumeScaleKind    kind,
                               const LacVolumePlace *place,
                               const LacPalette     *palette);

G_END_DECLS
