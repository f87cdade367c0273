/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview of a run, drawn before it starts (LacPreview of its experiment), including the files that its parameters
 * name. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

/**
 * lac_run_preview:
 * @settings: of an experiment that has a preview
 * @cancelled: polled during long operations
 *
 * Any thread. Returns: (transfer full): a plane for each channel of the preview; NULL with an error for the user, also when cancelled.
 */
LacFrame *lac_run_preview(const LacRunSettings *settings,
                          gboolean (*cancelled)(gpointer user_data),
                          gpointer user_data,
                          GError **error);

G_END_DECLS
