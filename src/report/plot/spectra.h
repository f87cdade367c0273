/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectra of a frame: of the truth, of every source, and of every source's error; energy of a velocity, power of all else. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;  /* of the channel; borrowed from it */
  gsize       source; /* 0: the truth, then the sources in the order of the channels */
  gboolean    is_error;
  double     *power; /* [n_shells]: they add up to the mean energy, or to the mean square */
} LacSpectrum;

typedef struct {
  gboolean     is_energy;         /* of a velocity; else power of one quantity */
  gboolean     is_windowed;       /* the field is bounded: through Hann's window */
  char        *y_label, *x_label; /* words for a person, with units */
  gsize        n_shells;
  double      *wavenumber; /* [n_shells], 2 pi k over the period */
  gsize        n_spectra;
  LacSpectrum *spectra;
} LacSpectra;

/* What fields a spectrum is of; all borrowed. */
typedef struct {
  const LacChannel *channels;
  gsize             n_channels;
  const LacFrame   *frame;
  const char       *quantity; /* (nullable): of a channel, or its key; NULL: of the first field */
} LacSpectraOf;

/* Returns: (nullable) (transfer none): why there are none of these fields, a sentence; NULL when there are. */
const char *lac_spectra_why_not(const LacSpectraOf *of);

/**
 * lac_spectra_new:
 *
 * Of a velocity or a vorticity in a square periodic plane the energy, from u and v where the run has both. Of any other field its
 * power: by |k|; along x of a line; of a field over time along its other axis, the mean over time. A source that has a
 * value that is not finite is left out. Any thread.
 *
 * Returns: (transfer full) (nullable): NULL where lac_spectra_why_not() says so.
 */
LacSpectra *lac_spectra_new(const LacSpectraOf *of);
void        lac_spectra_free(LacSpectra *spectra);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectra, lac_spectra_free)

/* Both axes logarithmic; errors dashed. @hidden: (nullable): [n sources], those that are not drawn; @legend: with one */
typedef struct {
  double          x, y, width, height, font_size;
  const gboolean *hidden;
  gboolean        legend;
} LacSpectraPlace;
void lac_spectra_draw(LacDrawing            *drawing,
                      const LacSpectra      *spectra,
                      const LacSpectraPlace *place,
                      const LacPalette      *palette);

G_END_DECLS
