/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image quality against the truth. Pure functions of two images [side][side] on the same pixels: nothing is scaled,
 * shifted or clipped here; for alignment see registration.h. */
#pragma once

#include "base/scratch.h"

#include <glib.h>

G_BEGIN_DECLS

double lac_image_mse(const double *image, const double *truth, gsize n);
/* Returns the PSNR in dB, 20 log10(range / sqrt(MSE)); infinite when the images are equal. */
double lac_image_psnr(const double *image, const double *truth, gsize n, double range);
/* Returns 100 ||image - truth|| / ||truth||, % */
double lac_image_rmse(const double *image, const double *truth, gsize n);
/* Returns Pearson's correlation; NaN when one image is constant. */
double lac_image_correlation(const double *image, const double *truth, gsize n);

/* Structural similarity with a Gaussian window of 11 x 11, sigma 1.5, C1 = (0.01 range)^2, C2 = (0.03 range)^2,
 * biased variances. Values of different variants are not comparable. Source: Wang, Bovik, Sheikh, Simoncelli (2004),
 * doi:10.1109/TIP.2003.819861 */
typedef enum {
  LAC_SSIM_WHOLE,   /* mean over all pixels; mirrored at the edge without repeating it */
  LAC_SSIM_CROPPED, /* mirrored with the edge repeated, 3 pixels cropped before averaging: scikit-image with win_size 7 */
  LAC_SSIM_VALID, /* the same with 5 pixels cropped: only complete windows count, as in Wang's program; scikit-image with win_size 11 */
  LAC_SSIM_N_FLAVOURS
} LacSsimFlavour;

/* Returns the translatable name: "whole image", "3 pixels cropped", "5 pixels cropped" */
const char *lac_ssim_get_name(LacSsimFlavour flavour);

/**
 * lac_image_ssim:
 * @range: range of the values: 1, 255
 *
 * An image too small for the border keeps at least one pixel: the border shrinks to 2, 1 or 0 pixels on each side.
 */
double lac_image_ssim(LacSsimFlavour flavour,
                      const double  *image,
                      const double  *truth,
                      gsize          side,
                      double         range);

/* Fills @map, [side][side], with the local similarity, whose mean over all pixels is LAC_SSIM_WHOLE. */
void
lac_image_ssim_map(const double *image, const double *truth, gsize side, double range, double *map);

/**
 * lac_image_ms_ssim:
 *
 * Contrast and structure over as many of the five dyadic scales as leave 11 pixels or more, with weights renormalised
 * to the sum 1; luminance enters at the fifth scale only, hence not at all for smaller images.
 * Source: Wang, Simoncelli, Bovik (2003), doi:10.1109/ACSSC.2003.1292216
 */
double lac_image_ms_ssim(const double *image, const double *truth, gsize side, double range);

typedef struct {
  double psnr, rmse, correlation;
  double ssim[LAC_SSIM_N_FLAVOURS];
  double ms_ssim;
} LacImageQualities;

/* Computes all metrics of one pair at once, equal to the functions above up to rounding: the local means of the whole
 * image are formed once. */
void lac_image_qualities(const double      *image,
                         const double      *truth,
                         gsize              side,
                         double             range,
                         LacImageQualities *qualities);
/* Computes the same with reusable memory: does not allocate when called again for images of the same size. */
void lac_image_qualities_with(LacScratch        *scratch,
                              const double      *image,
                              const double      *truth,
                              gsize              side,
                              double             range,
                              LacImageQualities *qualities);

G_END_DECLS
