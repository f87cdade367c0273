/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The energy spectra of a frame: of the truth, of every source, and of every source's error. */
#pragma once

#include "field/frame.h"
#include "report/canvas.h"
#include "report/plot.h"

G_BEGIN_DECLS

typedef struct {
  const char *label;  /* of the channel; borrowed from it */
  gsize       source; /* 0: the truth, then the sources in the order of the channels */
  gboolean    is_error;
  double     *energy; /* [n_shells] */
} LacSpectrum;

typedef struct {
  gsize        n_shells;
  double      *wavenumber; /* [n_shells], 2 pi k over the period */
  gsize        n_spectra;
  LacSpectrum *spectra;
} LacSpectra;

/* Returns: (nullable) (transfer none): why there are none of such a run, a sentence; NULL when there are. */
const char *
lac_spectra_why_not(const LacChannel *channels, gsize n_channels, const LacFrame *frame);

/* From u and v where the run has both, else from the vorticity. A source that has a value that is not finite is left
 * out. Returns: (nullable): NULL where lac_spectra_why_not() says so. */
LacSpectra *lac_spectra_new(const LacChannel *channels, gsize n_channels, const LacFrame *frame);
void        lac_spectra_free(LacSpectra *spectra);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSpectra, lac_spectra_free)

/* Both axes logarithmic; errors dashed. @hidden: (nullable): [n sources], those that are not drawn; @legend: with one */
typedef struct {
  double          x, y, width, height, font_size;
  const char     *x_label, *y_label;
  const gboolean *hidden;
  gboolean        legend;
} LacSpectraPlace;
void lac_spectra_draw(LacDrawing            *drawing,
                      const LacSpectra      *spectra,
                      const LacSpectraPlace *place,
                      const LacPalette      *palette);

G_END_DECLS
