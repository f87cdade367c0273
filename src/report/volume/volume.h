/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes: cells in space, an orbiting camera, a slice plane. Lengths in the unit of the axes. The camera uses
 * parallel projection, so that a pixel is a line integral independent of distance. */
#pragma once

#include "field/frame.h"

G_BEGIN_DECLS

typedef struct {
  gsize        n[3];              /* along x, y, z */
  double       first[3], step[3]; /* centre of the first cell */
  const float *values;            /* [nz][ny][nx]; borrowed */
} LacVolume;

/* @channel: with layers. Returns: FALSE for a plane without layers, or with fewer than two cells along an axis. */
gboolean lac_volume_init(LacVolume *volume, const LacChannel *channel, const LacPlane *plane);

gsize lac_volume_get_length(const LacVolume *volume);

/* Samples by trilinear interpolation; constant beyond the outermost centres, 0 beyond the cells. */
double lac_volume_sample(const LacVolume *volume, const double at[3]);

/* Smooths with the kernel 1/4 1/2 1/4 along each axis: the variance of counting noise drops to an eighth and the
 * integral is conserved. @values: [lac_volume_get_length()], filled */
void lac_volume_smooth(const LacVolume *volume, float *values);

/* Returns: the value above which cells hold @share of the integral, within 1 %; 0: none. */
double lac_volume_find_level(const LacVolume *volume, double share);

/* ---- slice planes ---- */

typedef enum { LAC_CUT_NUCLEI, LAC_CUT_X, LAC_CUT_Y, LAC_CUT_Z, LAC_N_CUTS } LacCutKind;

typedef struct {
  double middle[3];
  double across[3], up[3], normal[3]; /* unit length, orthogonal, right-handed */
  double half;                        /* half the side length of the square slice */
} LacCut;

/* Places the slice through three nuclei among the frame's markers (the first, the one furthest from it, and the one
 * furthest from the line through these two), or across an axis in the middle; then moves the slice by @offset along
 * its normal. */
void lac_cut_init(LacCut          *cut,
                  const LacVolume *volume,
                  LacCutKind       kind,
                  double           offset,
                  const LacMarker *markers,
                  gsize            n_markers);

/* Returns the largest offset of a slice, in either direction, that still intersects the volume. */
double lac_cut_get_reach(const LacVolume *volume);

/* Fills @plane, [ny][nx] with nx = ny, its axes centred on the slice. */
void lac_cut_fill(const LacCut *cut, const LacVolume *volume, LacPlane *plane);

/* ---- orbiting camera ---- */

/* Rotation about the up direction of the slice through the nuclei, then tilt; radians. */
typedef struct {
  double turn, tilt, zoom;
} LacOrbit;

#define LAC_ORBIT_START ((LacOrbit){-0.45, 0.35, 1})

void
lac_orbit_rotate(LacOrbit *orbit, double turn, double tilt); /* clamps the tilt to a right angle */
void lac_orbit_zoom(LacOrbit *orbit, double factor);

typedef struct {
  double middle[3];
  double right[3], up[3], toward[3]; /* toward the eye */
  double half;                       /* from the centre of the picture to its nearer edges */
} LacVolumeCamera;

void lac_volume_camera_init(LacVolumeCamera *camera,
                            const LacVolume *volume,
                            const LacOrbit  *orbit,
                            const LacMarker *markers,
                            gsize            n_markers);

/* Projects a point. @place: x to the right, y up, both -1...1 at the edges of a square picture; z toward the eye. */
void lac_volume_camera_project(const LacVolumeCamera *camera, const double at[3], double place[3]);

/* ---- lines of sight ---- */

#define LAC_VOLUME_STRIDE 1.0 /* in cells, between the samples along a line */

/* Result of one line of sight through (x, y): the integral along it, and the surfaces at @level that it crosses. */
typedef struct {
  double integral;
  double light, cover; /* of the surfaces: colour times opacity, and opacity; 0...1 */
} LacSight;

LacSight lac_volume_look(const LacVolume       *volume,
                         const LacVolumeCamera *camera,
                         double                 x,
                         double                 y,
                         double                 level);

/* Finds the ranges of the colour scales, as decimal logarithms: of line integrals, and of values. */
void lac_volume_find_scales(const LacVolume *volume, double lines[2], double values[2]);

G_END_DECLS
