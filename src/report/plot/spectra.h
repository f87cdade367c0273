/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of a frame: the true field, every source, and every source's error; energy of a velocity, power of any
 * other field. */
#pragma once

#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;  /* borrowed from the channel */
  gsize       source; /* 0: true field, then the sources in the order of the channels */
  gboolean    is_error;
  double     *power; /* [n_shells]: they add up to the mean energy, or to the mean square */
} LacSpectrum;

typedef struct {
  gboolean     is_energy;         /* energy of a velocity; else power of one quantity */
  gboolean     is_windowed;       /* non-periodic field: Hann window applied */
  char        *y_label, *x_label; /* axis labels with units */
  gsize        n_shells;
  double      *wavenumber; /* [n_shells], 2 pi k over the period */
  gsize        n_spectra;
  LacSpectrum *spectra;
} LacSpectra;

/* Fields of a spectrum; all borrowed. */
typedef struct {
  const LacChannel *channels;
  gsize             n_channels;
  const LacFrame   *frame;
  const char *quantity; /* (nullable): quantity of a channel, or its key; NULL: the first field */
} LacSpectraOf;

/* Returns: (nullable) (transfer none): a sentence on why these fields have no spectrum; NULL when they have one. */
const char *lac_spectra_why_not(const LacSpectraOf *of);

/**
 * lac_spectra_new:
 *
 * Velocity or vorticity in a square periodic plane: energy, from u and v where the run has both. Any other field:
 * power, by |k| in a plane; along x on a line; for a field over time, along the other axis and averaged over time.
 * Sources with non-finite values are left out. Any thread.
 *
 * Returns: (transfer full) (nullable): NULL where lac_spectra_why_not() returns a reason.
 */
LacSpectra *lac_spectra_new(const LacSpectraOf *of);
void        lac_spectra_free(LacSpectra *spectra);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectra, lac_spectra_free)

/* Placement of a plot of spectra: both axes logarithmic, errors dashed. @hidden: (nullable): [n sources], TRUE for
 * hidden ones; @legend: draws a legend */
typedef struct {
  double          x, y, width, height, font_size;
  const gboolean *hidden;
  gboolean        legend;
  const guint    *looks; /* (nullable): of each source; NULL: by their order */
} LacSpectraPlace;
void lac_spectra_draw(LacDrawing            *drawing,
                      const LacSpectra      *spectra,
                      const LacSpectraPlace *place,
                      const LacPalette      *palette);

G_END_DECLS
