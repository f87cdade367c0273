/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW wisdom: MEASURE plans round differently from process to process, so plans are made once per machine and shape,
 * saved in the user's cache directory under a lock, and copied into the run. */
#pragma once

#include "tensor/type.h"

#include <glib.h>

G_BEGIN_DECLS

/* Any thread; takes a lock. Takes effect only before the first fft_prepare of a shape. */
gboolean lac_fft_import_wisdom(LacType type, const char *text);
/* Returns: (transfer full): the plans in use, as text. */
char *lac_fft_export_wisdom(LacType type);

/* Counts all fft_prepare and lac_fourier_prepare() calls on the CPU in this process. @n_known: calls whose plan
 * existed or was in the wisdom; @n_measured: calls that had to measure. */
void lac_fft_get_plan_counts(guint64 *n_known, guint64 *n_measured);

/* Called in the thread that needs a plan when measuring it begins, and when it has ended: large shapes take seconds. */
typedef void (*LacFftWatch)(gboolean begins, gpointer user_data);
/* Watches the calling thread. @watch: NULL: no longer */
void lac_fft_watch(LacFftWatch watch, gpointer user_data);

G_END_DECLS
