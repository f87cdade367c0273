/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What methods are tried on: a small object with edges and slopes, seen through a spiral of apertures. */
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
  LacDetectorUnit unit;
  LacNoise        noise;
  double          aberrations[3]; /* of the true pupil: defocus, astigmatisms */
  double          moved;          /* how far centres are off at most, k-space pixels */
  guint           n_threads;
  guint64         seed;
  /* what bed_open() makes */
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
/* @params: "key=value;key=value" of the method's rows and the common ones; the latter count for all methods of the bed. */
gpointer bed_create(Bed *bed, const LacImagingMethod *method, const char *params);

/* Runs at most @n steps. Returns: how many it were; @last: (nullable): the last report */
gsize bed_run(const LacImagingMethod *method, gpointer running, gsize n, LacMethodReport *last);

/* 20 log10(1 / rms of the difference from the truth) */
double bed_psnr(const Bed *bed, const double complex *object);
double bed_psnr_of(const Bed *bed, const LacImagingMethod *method, gpointer running);

/* The same of the truth through the union of all apertures: what linear methods see at most. */
double bed_psnr_of_band(const Bed *bed);

extern const char *const bed_methods[];
extern const gsize       bed_n_methods;
