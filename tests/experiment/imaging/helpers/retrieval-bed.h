/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test bed for phase retrieval methods: a small object with edges and slopes, scanned by a spiral of apertures. */
#pragma once

#include "experiment/imaging/methods/method.h"

#define BED_SIDE   32 /* of the object */
#define BED_GRID   64
#define BED_PIXELS (BED_SIDE * BED_SIDE)
#define BED_SCAN   24
#define BED_RADIUS 7.0
#define BED_SPREAD 20.0 /* of the spiral */

typedef struct {
  /* settings, before bed_open() */
  gboolean        is_complex, is_unbounded, has_lines, has_sigma;
  gboolean        is_whole; /* the object fills the grid, and the spiral is smaller */
  LacDetectorUnit unit;
  LacNoise        noise;
  double          aberrations[3]; /* of the true pupil: defocus, astigmatisms */
  double          moved;          /* maximum displacement of the centres, k-space pixels */
  guint           n_threads;
  guint64         seed;
  /* made by bed_open() */
  LacPool          *pool;
  LacContext        context;
  LacScanBox        scan[BED_SCAN], true_scan[BED_SCAN];
  LacOptics        *optics; /* the true ones */
  LacExposures     *exposures;
  LacImagingCommon  common;
  LacImagingProblem problem;
  double complex    truth[BED_PIXELS];
} Bed;

#define BED_DEFAULTS ((Bed){.noise = LAC_NOISE_NONE, .n_threads = 1, .seed = 1})

void bed_open(Bed *bed);
void bed_close(Bed *bed);

const LacImagingMethod *bed_find(const char *name);
/* @params: "key=value;key=value" of the method's rows and the common rows; common values apply to all methods of the
 * bed. */
gpointer bed_create(Bed *bed, const LacImagingMethod *method, const char *params);

/* Runs at most @n steps. Returns: the number of steps; @last: (nullable): the last report */
gsize bed_run(const LacImagingMethod *method, gpointer running, gsize n, LacMethodReport *last);

/* Returns 20 log10(1 / RMS error against the truth). */
double bed_psnr(const Bed *bed, const double complex *object);
double bed_psnr_of(const Bed *bed, const LacImagingMethod *method, gpointer running);

/* Returns the same for the truth band-limited by the union of all apertures: the limit of linear methods. */
double bed_psnr_of_band(const Bed *bed);

extern const char *const bed_methods[];
extern const gsize       bed_n_methods;
