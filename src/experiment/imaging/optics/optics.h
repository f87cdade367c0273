/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward model: the image of an object on a detector through an aperture in k-space. With the centred, orthonormal
 * Fourier transform F, the object o, the aperture A_c at centre c and a pupil P (1 unless set):
 *
 *   O = F o,   u = F^-1 (A_c P O),   the image is |u| or |u|^2; along a line of n centres  sqrt(1/n sum_i |u_i|^2)  or its square.
 *
 * Rows before columns, [y][x]; DC and the middle of an object lie at index n/2. Centres are (y, x) in k-space pixels
 * from DC.
 *
 * An aperture passes a small box of k-space, so u is fully sampled on a small detector: d x d pixels for the whole
 * field of view instead of N x N. With d = N, the full-grid reference model, nothing is left out. For every d the map
 * to u is unitary: ||u|| = ||A_c P O||, and where sample j of the small detector coincides with sample J of the full
 * grid, J - N/2 = (j - d/2) N/d,
 *
 *   u_N[J] = (d/N) u_d[j]  (a pixel of the small detector is (N/d)^2 times as large and collects proportionally more light).
 *
 * Source of the model: Goodman, Introduction to Fourier Optics (2005), ch. 5-6. */
#pragma once

#include "backend/band-transform.h"
#include "experiment/imaging/optics/aperture.h"

#include <complex.h>

G_BEGIN_DECLS

/* A scan position of the aperture: the two ends of a line, or one point twice. */
typedef struct {
  double y, x, end_y, end_x;
} LacScanBox;

/* Returns the mate: the scan position that records the same image of a real object, whose spectrum has O(-k) = O*(k),
 * so that u becomes u*. Only an even aberration (defocus) or a phase of the object distinguishes the two. */
static inline LacScanBox
lac_scan_mate(LacScanBox position)
{
  return (LacScanBox){-position.end_y, -position.end_x, -position.y, -position.x};
}

/* Returns the distance in k-space pixels between the first ends of @position and @place, or of @position and the mate
 * of @place if @has_mate and that is nearer. */
double lac_scan_distance(LacScanBox position, LacScanBox place, gboolean has_mate);

typedef enum {
  LAC_DETECTOR_AMPLITUDE, /* |u|: telescopes */
  LAC_DETECTOR_INTENSITY, /* |u|^2: microscopes and cameras */
} LacDetectorUnit;

typedef struct {
  gsize       grid;    /* N: even */
  gsize       support; /* s: the object is s x s in the middle of the grid, starting at (N - s)/2 */
  LacAperture aperture;
  LacDetectorUnit unit;
  gsize
    patch; /* d: even; 0: the smallest fast size that samples |u|^2; N: the full-grid reference model */
  gsize
                    n_along; /* centres along a line; 0: one per radius, an odd number (1 when no scan position is a line) */
  gsize             n_positions;
  const LacScanBox *scan;          /* [n_positions]; copied */
  gboolean          square_pixels; /* of a simulated object: uniform squares instead of points */
  gsize             margin;        /* maximum later movement of scan positions, in k-space pixels */
  gboolean          plans_every_call; /* see lac_fourier_prepare_plain() */
} LacOpticsSettings;

typedef struct _LacOptics LacOptics;

/* Returns the smallest fast detector size for @aperture: the value of d when the settings have 0. */
gsize lac_optics_choose_detector(const LacAperture *aperture, gsize grid);

/* Returns: FALSE with an error when the settings are not possible. */
gboolean lac_optics_check(const LacOpticsSettings *settings, GError **error);

/**
 * lac_optics_new:
 * @pool: (nullable): runs the transforms of whole spectra; it must outlive the optics
 *
 * Makes transform plans and lists of pixels: all allocation happens here. An aperture may be cut by the edge of the
 * grid; one entirely outside is refused.
 *
 * Returns: (nullable): NULL with an error when the settings are not possible.
 */
LacOptics *lac_optics_new(const LacOpticsSettings *settings, LacPool *pool, GError **error);
void       lac_optics_free(LacOptics *optics);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacOptics, lac_optics_free)

/* Returns the value of `n_along` that the optics use: the automatic one when the settings have 0. */
gsize lac_optics_choose_n_along(const LacOpticsSettings *settings);

/* Returns the settings, with `patch` and `n_along` filled in and the current scan positions. */
const LacOpticsSettings *lac_optics_get_settings(const LacOptics *optics);
gsize                    lac_optics_get_detector(const LacOptics *optics); /* d */
gsize                    lac_optics_get_n_along(const LacOptics *optics);

/* Returns the band that covers all scan positions, with the margin: spectra are [height][width] of this band. The
 * whole grid when d = N. */
LacBand lac_optics_get_band(const LacOptics *optics);

/* Returns the transforms between an object and boxes of the band. Used by the transforms below too. */
LacBandTransform *lac_optics_get_transform(const LacOptics *optics);

/* Moves the first end of a scan position; a line moves as a whole. Returns: FALSE, with nothing moved, when the
 * aperture would leave the band or the grid. Must not be called while another thread uses the optics. */
gboolean lac_optics_move(LacOptics *optics, gsize position, double y, double x);

/* Sets the pupil. @pupil: (nullable): [b][b] with b = lac_optics_get_box(), factors of the pixels around the one
 * nearest to the centre; copied. NULL: 1 */
void  lac_optics_set_pupil(LacOptics *optics, const double complex *pupil);
gsize lac_optics_get_box(const LacOptics *optics);

/* Compute O = F o on the band, and the adjoint o = F^-1 O, zero outside the band and cropped to the support. @object:
 * [s][s]. One call at a time, never from within the pool; nothing is allocated. Bitwise identical for any number of
 * threads. */
void lac_optics_spectrum(LacOptics *optics, const double complex *object, double complex *spectrum);
void lac_optics_object(LacOptics *optics, const double complex *spectrum, double complex *object);

/* Computes only the box of one scan position, and leaves the rest of the band unchanged. */
void lac_optics_scan_spectrum(LacOptics            *optics,
                              gsize                 position,
                              const double complex *object,
                              double complex       *spectrum);

/* Computes u = F^-1 (A_c P O) at one of the centres along the scan position; @field: [d][d]. Here and below: any
 * number of threads; nothing is allocated; all memory is the caller's, 16-byte aligned. */
void lac_optics_field(const LacOptics      *optics,
                      gsize                 position,
                      gsize                 i_along,
                      const double complex *spectrum,
                      double complex       *field);

/* Computes the adjoint: spectrum += A_c P* F field. @field is overwritten. */
void lac_optics_field_adjoint(const LacOptics *optics,
                              gsize            position,
                              gsize            i_along,
                              double complex  *field,
                              double complex  *spectrum);

/* Computes the noise-free image in the unit of the settings; @fields: (out): [n_along][d][d], u at each centre;
 * @image: [d][d] */
void lac_optics_measure(const LacOptics      *optics,
                        gsize                 position,
                        const double complex *spectrum,
                        double complex       *fields,
                        double               *image);

/* Marks in @mask, [height][width] of the band, the pixels that a scan position covers. Returns: the number of newly
 * marked pixels. */
gsize lac_optics_mark(const LacOptics *optics, gsize position, guint8 *mask);

/* Computes the coherent field through a union of apertures on the whole grid, u = F^-1 (mask O). @field: [N][N]. Call
 * lac_optics_prepare_union() once before; it returns FALSE with an error when the transform cannot be planned. */
gboolean lac_optics_prepare_union(LacOptics *optics, GError **error);
void     lac_optics_union_field(const LacOptics      *optics,
                                const guint8         *mask,
                                const double complex *spectrum,
                                double complex       *field);

/* Finds the pixels that one centre of a scan position passes: the first pixel (y, x) of its box, from DC, and the
 * mask within the box. @passes: [b][b] */
void lac_optics_get_stop(const LacOptics *optics,
                         gsize            position,
                         gsize            i_along,
                         gint32           corner[2],
                         guint8          *passes);

G_END_DECLS
