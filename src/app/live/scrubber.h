/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slider over the steps of a run: computed steps in blue, those to come in grey; ticks below for checkpoints,
 * triangles above for changes of settings. Signals: chosen (gint64 step), while it is dragged or moved by keys;
 * released, at the end of a drag or after a key. */
#pragma once

#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SCRUBBER (lac_scrubber_get_type())
G_DECLARE_FINAL_TYPE(LacScrubber, lac_scrubber, LAC, SCRUBBER, LacDrawingView)

/* @n_steps: planned; @computed: steps so far */
void lac_scrubber_set_range(LacScrubber *scrubber, gint64 n_steps, gint64 computed);
/* Sets the step shown; emits nothing. */
void   lac_scrubber_set_step(LacScrubber *scrubber, gint64 step);
gint64 lac_scrubber_get_step(LacScrubber *scrubber);
/* @steps: [n], copied: the steps that arrow keys visit; 0: every step. */
void lac_scrubber_set_stops(LacScrubber *scrubber, const gint64 *steps, gsize n);
/* @steps: [n], copied */
void lac_scrubber_set_changes(LacScrubber *scrubber, const gint64 *steps, gsize n);
void lac_scrubber_set_checkpoints(LacScrubber *scrubber, const gint64 *steps, gsize n);

G_END_DECLS
