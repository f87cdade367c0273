/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near an image comes to the truth. Pure functions of two images [side][side] on the same pixels, as they are: nothing is
 * scaled, shifted or clipped here; to align first, see registration.h. */
#pragma once

#include "base/scratch.h"

#include <glib.h>

G_BEGIN_DECLS

double lac_image_mse(const double *image, const double *truth, gsize n);
/* dB, 20 log10(range / sqrt(MSE)); infinite where they are equal. */
double lac_image_psnr(const double *image, const double *truth, gsize n, double range);
/* 100 ||image - truth|| / ||truth||, % */
double lac_image_rmse(const double *image, const double *truth, gsize n);
/* Pearson's; NaN where one of them is constant. */
double lac_image_correlation(const double *image, const double *truth, gsize n);

/* Structural similarity with a Gaussian window of 11 x 11, sigma 1.5, C1 = (0.01 range)^2, C2 = (0.03 range)^2, biased
 * variances. Figures of different flavours are not comparable. Source: Wang, Bovik, Sheikh, Simoncelli (2004),
 * doi:10.1109/TIP.2003.819861 */
typedef enum {
  LAC_SSIM_WHOLE, /* mean over all pixels; mirrored at the edge without repeating it */
  LAC_SSIM_CROPPED, /* edge repeated when mirrored, 3 pixels cut before averaging: scikit-image with win_size 7 */
  LAC_SSIM_VALID, /* likewise with 5 pixels cut: only whole windows count, as Wang's program does; 11 in scikit-image */
  LAC_SSIM_N_FLAVOURS
} LacSsimFlavour;

/* "whole picture", "3 pixels cut", "5 pixels cut"; translatable */
const char *lac_ssim_get_name(LacSsimFlavour flavour);

/**
 * lac_image_ssim:
 * @range: of the values: 1, 255
 *
 * An image smaller than what is cut and one pixel loses less: 2, 1 or 0 pixels on each side.
 */
double lac_image_ssim(LacSsimFlavour flavour,
                      const double  *image,
                      const double  *truth,
                      gsize          side,
                      double         range);

/* [side][side] of local values whose mean over all pixels is LAC_SSIM_WHOLE. */
void
lac_image_ssim_map(const double *image, const double *truth, gsize side, double range, double *map);

/**
 * lac_image_ms_ssim:
 *
 * Contrast and structure over as many of five dyadic scales as leave 11 pixels or more, with their weights scaled to the sum 1;
 * luminance counts at the fifth alone.
 * Source: Wang, Simoncelli, Bovik (2003), doi:10.1109/ACSSC.2003.1292216
 */
double lac_image_ms_ssim(const double *image, const double *truth, gsize side, double range);

typedef struct {
  double psnr, rmse, correlation;
  double ssim[LAC_SSIM_N_FLAVOURS];
  double ms_ssim;
} LacImageQualities;

/* All of these of one pair, as the functions above give them but for rounding: the local means of the whole picture are formed once. */
void lac_image_qualities(const double      *image,
                         const double      *truth,
                         gsize              side,
                         double             range,
                         LacImageQualities *qualities);
/* The same in memory that is kept: nothing is allocated when it is asked again of images of that size. */
void lac_image_qualities_with(LacScratch        *scratch,
                              const double      *image,
                              const double      *truth,
                              gsize              side,
                              double             range,
                              LacImageQualities *qualities);

G_END_DECLS
