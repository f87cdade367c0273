/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of settings during a run: as a list with undo, and as marks for curves and scrubber. Signals: changed;
 * undone (const char *key, const char *text): the setting and the value it had. */
#pragma once

#include "app/plot/curve-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_LIVE_CHANGES (lac_live_changes_get_type())
G_DECLARE_FINAL_TYPE(LacLiveChanges, lac_live_changes, LAC, LIVE_CHANGES, GtkWidget)

/* Lists the changes in the run's journal, if it can be read. @session: (nullable) */
void lac_live_changes_set_session(LacLiveChanges *changes, LacSession *session);
/* Adds a change of the run in progress at its present step. @before: (nullable): the value it had */
void lac_live_changes_add(LacLiveChanges *changes,
                          const char     *key,
                          const char     *label,
                          const char     *before,
                          const char     *text);

/* Returns: (transfer none): one mark a change, in order. */
const LacCurveMark *lac_live_changes_get_marks(LacLiveChanges *changes, gsize *n);

G_END_DECLS
