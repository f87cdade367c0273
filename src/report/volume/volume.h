/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume as it is looked at: cells in space, a camera around them, a plane through them. Lengths in the unit of the axes. The
 * camera sees along parallel lines, so that a pixel is an integral along a line, whatever its distance. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef struct {
  gsize        n[3];              /* along x, y, z */
  double       first[3], step[3]; /* centre of the first cell */
  const float *values;            /* [nz][ny][nx]; borrowed */
} LacVolume;

/* @channel: with layers. Returns: FALSE where the plane is not made of them, or has fewer than two cells along an axis. */
gboolean lac_volume_init(LacVolume *volume, const LacChannel *channel, const LacPlane *plane);

gsize lac_volume_get_length(const LacVolume *volume);

/* Between cells linearly; beyond the outermost centres as there, beyond the cells 0. */
double lac_volume_sample(const LacVolume *volume, const double at[3]);

/* Each cell shares with its neighbours, 1/4 1/2 1/4 along each axis: what is left of the noise of counts is an eighth of its
 * variance, and the integral stays. @values: [lac_volume_get_length()], filled */
void lac_volume_smooth(const LacVolume *volume, float *values);

/* Returns: the value above which cells hold @share of the integral, within a hundredth; 0: there is none. */
double lac_volume_find_level(const LacVolume *volume, double share);

/* ---- a plane through it ---- */

typedef enum { LAC_CUT_NUCLEI, LAC_CUT_X, LAC_CUT_Y, LAC_CUT_Z, LAC_N_CUTS } LacCutKind;

typedef struct {
  double middle[3];
  double across[3], up[3], normal[3]; /* of length 1, at right angles, right-handed */
  double half;                        /* it reaches as far on either side, along both directions */
} LacCut;

/* Through the nuclei of the frame's markers (the first, the one furthest from it, the one furthest from their line), or across an
 * axis in the middle; then moved by @offset along its normal. */
void lac_cut_init(LacCut          *cut,
                  const LacVolume *volume,
                  LacCutKind       kind,
                  double           offset,
                  const LacMarker *markers,
                  gsize            n_markers);

/* How far a cut may be moved either way before it leaves the volume. */
double lac_cut_get_reach(const LacVolume *volume);

/* Fills @plane, [ny][nx] with nx = ny, its axes counted from the middle of the cut. */
void lac_cut_fill(const LacCut *cut, const LacVolume *volume, LacPlane *plane);

/* ---- a camera around it ---- */

/* Turned about what is up in the cut through the nuclei, then tilted; radians. */
typedef struct {
  double turn, tilt, zoom;
} LacOrbit;

#define LAC_ORBIT_START ((LacOrbit){-0.45, 0.35, 1})

void lac_orbit_rotate(LacOrbit *orbit,
                      double    turn,
                      double    tilt); /* the tilt stays within a right angle */
void lac_orbit_zoom(LacOrbit *orbit, double factor);

typedef struct {
  double middle[3];
  double right[3], up[3], toward[3]; /* toward the eye */
  double half;                       /* from the middle of the picture to its nearer edges */
} LacVolumeCamera;

void lac_volume_camera_init(LacVolumeCamera *camera,
                            const LacVolume *volume,
                            const LacOrbit  *orbit,
                            const LacMarker *markers,
                            gsize            n_markers);

/* @place: x to the right, y up, both -1...1 where a square picture ends; z toward the eye. */
void lac_volume_camera_project(const LacVolumeCamera *camera, const double at[3], double place[3]);

/* ---- what it sees ---- */

#define LAC_VOLUME_STRIDE 1.0 /* of a cell, between the samples along a line */

/* The integral along the line of sight through (x, y); and what surfaces at @level lie in front of it. */
typedef struct {
  double integral;
  double light,
    cover; /* of the surfaces: colour times cover, and how much of what is behind they hide; 0...1 */
} LacSight;

LacSight lac_volume_look(const LacVolume       *volume,
                         const LacVolumeCamera *camera,
                         double                 x,
                         double                 y,
                         double                 level);

/* Decimal logarithms that the colours span: of integrals along lines, and of values. */
void lac_volume_find_scales(const LacVolume *volume, double lines[2], double values[2]);

G_END_DECLS
