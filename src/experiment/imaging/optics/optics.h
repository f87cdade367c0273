/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a detector sees of an object through an aperture in k-space. With the centred, orthonormal Fourier transform F, the object o, the
 * aperture A_c at centre c and a pupil P (1 unless it is set):
 *
 *   O = F o,   u = F^-1 (A_c P O),   the image is |u| or |u|^2; along a line of n centres  sqrt(1/n sum_i |u_i|^2)  or its square.
 *
 * Rows before columns, [y][x]; DC and the middle of an object lie at index n/2. Centres are (y, x) in k-space pixels from DC.
 *
 * An aperture passes a small box of k-space, so u is fully sampled on a small detector: d x d pixels for the whole field of
 * view instead of N x N. With d = N, the full-grid twin, nothing is left out. For every d, u is unitary: ||u|| = ||A_c P O||, and where
 * sample j of the one falls on sample J of the other, J - N/2 = (j - d/2) N/d,
 *
 *   u_N[J] = (d/N) u_d[j]
 *
 * (a pixel of the small detector is (N/d)^2 times as large and collects as much more light).
 *
 * Source of the model: Goodman, Introduction to Fourier Optics (2005), ch. 5-6. */
#pragma once

#include "base/pool.h"
#include "experiment/imaging/optics/aperture.h"

#include <complex.h>

G_BEGIN_DECLS

/* A stop of the aperture; of a line its two ends, else both are the same. */
typedef struct {
  double y, x, end_y, end_x;
} LacScanBox;

/* The stop that sees the same of an object without a phase: there O(-k) = O*(k), so that u becomes u*. An even aberration (defocus) tells
 * the two apart, and so does a phase of the object; nothing else does. */
static inline LacScanBox
lac_scan_mate(LacScanBox position)
{
  return (LacScanBox){-position.end_y, -position.end_x, -position.y, -position.x};
}

/* How far a stop is from where it should be, or from the mate of that place if @has_mate and this is nearer. k-space pixels */
double lac_scan_distance(LacScanBox position, LacScanBox place, gboolean has_mate);

typedef enum {
  LAC_DETECTOR_AMPLITUDE, /* |u|: telescopes */
  LAC_DETECTOR_INTENSITY, /* |u|^2: microscopes and cameras */
} LacDetectorUnit;

typedef struct {
  gsize           grid;    /* N: even */
  gsize           support; /* s: the object is s x s in the middle of the grid, from (N - s)/2 on */
  LacAperture     aperture;
  LacDetectorUnit unit;
  gsize patch; /* d: even; 0: the smallest good one that samples |u|^2; N: the full-grid twin */
  gsize
                    n_along; /* centres along a line; 0: one each radius, an odd number (1 where no scan position is a line) */
  gsize             n_positions;
  const LacScanBox *scan;             /* [n_positions]; copied */
  gsize             margin;           /* how far scan positions may be moved, in k-space pixels */
  gboolean          plans_every_call; /* as lac_fourier_prepare_plain() */
} LacOpticsSettings;

typedef struct _LacOptics LacOptics;

/* The smallest good detector for it: d where the settings say 0. */
gsize lac_optics_choose_detector(const LacAperture *aperture, gsize grid);

/* Returns: FALSE and a sentence where the settings are not possible. */
gboolean lac_optics_check(const LacOpticsSettings *settings, GError **error);

/**
 * lac_optics_new:
 * @pool: (nullable): of it the transforms of whole spectra are done; it must outlive the optics
 *
 * Makes plans and lists of pixels: everything that is allocated. An aperture may be cut by the edge of the grid; one of which nothing is left
 * is refused.
 *
 * Returns: (nullable): NULL and a sentence when the settings are not possible.
 */
LacOptics *lac_optics_new(const LacOpticsSettings *settings, LacPool *pool, GError **error);
void       lac_optics_free(LacOptics *optics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacOptics, lac_optics_free)

/* Returns: `n_along`, or what it comes to where it is 0. */
gsize lac_optics_choose_n_along(const LacOpticsSettings *settings);

/* As they were given, with `patch` and `n_along` filled in and the scan positions where they are now. */
const LacOpticsSettings *lac_optics_get_settings(const LacOptics *optics);
gsize                    lac_optics_get_detector(const LacOptics *optics); /* d */
gsize                    lac_optics_get_n_along(const LacOptics *optics);

/* A rectangle of k-space: rows y ... y + height - 1, columns x ... x + width - 1, counted from DC. */
typedef struct {
  gint64 y, x;
  gsize  height, width;
} LacBand;

/* What any scan position sees, with the margin: spectra are [height][width] of this band. The whole grid where d = N. */
LacBand lac_optics_get_band(const LacOptics *optics);

/* Moves the beginning of a scan position, a line as a whole. Returns: FALSE, and nothing moved, where the aperture would leave the band or the
 * grid. Not while another thread uses the optics. */
gboolean lac_optics_move(LacOptics *optics, gsize position, double y, double x);

/* @pupil: (nullable): [b][b] with b = lac_optics_get_box(), factors of the pixels around the one nearest to the centre; copied. NULL: 1 */
void  lac_optics_set_pupil(LacOptics *optics, const double complex *pupil);
gsize lac_optics_get_box(const LacOptics *optics);

/* O = F o on the band, and its adjoint o = F^-1 O, zero outside of the band and cropped to the support. @object: [s][s]. One
 * call at a time, and never from within the pool; nothing is allocated. Bitwise the same for any number of threads. */
void lac_optics_spectrum(LacOptics *optics, const double complex *object, double complex *spectrum);
void lac_optics_object(LacOptics *optics, const double complex *spectrum, double complex *object);

/* The same for the box that one scan position sees, which is all of the band that is written and read. Far cheaper where one scan position follows the other. */
void lac_optics_scan_spectrum(LacOptics            *optics,
                              gsize                 position,
                              const double complex *object,
                              double complex       *spectrum);
void lac_optics_scan_object(LacOptics            *optics,
                            gsize                 position,
                            const double complex *spectrum,
                            double complex       *object);

/* u = F^-1 (A_c P O) at one of the centres along the scan position; @field: [d][d]. Here and below: any number of threads; nothing is
 * allocated; all memory is the caller's, at multiples of 16 bytes. */
void lac_optics_field(const LacOptics      *optics,
                      gsize                 position,
                      gsize                 i_along,
                      const double complex *spectrum,
                      double complex       *field);

/* The adjoint: spectrum += A_c P* F field. @field is overwritten. */
void lac_optics_field_adjoint(const LacOptics *optics,
                              gsize            position,
                              gsize            i_along,
                              double complex  *field,
                              double complex  *spectrum);

/* The two halves of these, without the pupil: patch = A_c O, and patch = A_c F field (overwritten); @patch: [b][b] around the pixel
 * nearest to the centre, zero where nothing passes. */
void lac_optics_patch(const LacOptics      *optics,
                      gsize                 position,
                      gsize                 i_along,
                      const double complex *spectrum,
                      double complex       *patch);
void lac_optics_field_patch(const LacOptics *optics,
                            gsize            position,
                            gsize            i_along,
                            double complex  *field,
                            double complex  *patch);
/* field = F^-1 (A_c patch): what a patch of one's own would make on the detector */
void lac_optics_patch_field(const LacOptics      *optics,
                            gsize                 position,
                            gsize                 i_along,
                            const double complex *patch,
                            double complex       *field);
/* spectrum += patch, where the aperture passes */
void lac_optics_add_patch(const LacOptics      *optics,
                          gsize                 position,
                          gsize                 i_along,
                          const double complex *patch,
                          double complex       *spectrum);

/* The image, without noise, in the unit of the settings; @fields: (out): [n_along][d][d], u at each centre; @image: [d][d] */
void lac_optics_measure(const LacOptics      *optics,
                        gsize                 position,
                        const double complex *spectrum,
                        double complex       *fields,
                        double               *image);

/* The way back: given dL/dimage, adds to @spectrum_bar what makes dL = Re <spectrum_bar, dO>. @fields and @image are those of the measurement;
 * the fields are overwritten. 0 where an amplitude is 0. */
void lac_optics_measure_reverse(const LacOptics *optics,
                                gsize            position,
                                double complex  *fields,
                                const double    *image,
                                const double    *image_bar,
                                double complex  *spectrum_bar);

/* Marks in @mask, [height][width] of the band, what a scan position sees. Returns: how many pixels are new. */
gsize lac_optics_mark(const LacOptics *optics, gsize position, guint8 *mask);

/* The coherent field through a union of apertures, on the whole grid: u = F^-1 (mask O), and its adjoint spectrum += mask F u (u is
 * overwritten). @field: [N][N]. Needs lac_optics_prepare_union() once. Returns (of that): FALSE and a sentence when it cannot be planned. */
gboolean lac_optics_prepare_union(LacOptics *optics, GError **error);
void     lac_optics_union_field(const LacOptics      *optics,
                                const guint8         *mask,
                                const double complex *spectrum,
                                double complex       *field);
void     lac_optics_union_adjoint(const LacOptics *optics,
                                  const guint8    *mask,
                                  double complex  *field,
                                  double complex  *spectrum);

/* What one centre of a scan position passes: the pixel (y, x) from DC at which its box begins, and which of the box pass. @passes: [b][b] */
void lac_optics_get_stop(const LacOptics *optics,
                         gsize            position,
                         gsize            i_along,
                         gint32           corner[2],
                         guint8          *passes);

G_END_DECLS
