/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW wisdom: MEASURE plans differ from process to process in rounding, so plans are made once a machine and
 * shape, kept in the user's cache directory under a lock, and copied into the run. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

/* Any thread; takes a lock. Must precede the first fft_prepare of a shape to have an effect on it. */
gboolean lac_fft_import_wisdom(LacType type, const char *text);
/* Returns: (transfer full): the plans in use, as text. */
char *lac_fft_export_wisdom(LacType type);

/* Of all fft_prepare and lac_fourier_prepare() on the processor in this process: how many found their plans ready or known from wisdom, and how many had
 * to measure. */
void lac_fft_get_plan_counts(guint64 *n_known, guint64 *n_measured);

G_END_DECLS
