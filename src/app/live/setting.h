/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A setting of the run shown: from its file, or while it computes from its draft. */
#pragma once

#include "app/session/session.h"

G_BEGIN_DECLS

/* @draft: (nullable). @label: (out) (optional): its name, translated. Returns: (transfer full) (nullable): the value in
 * the words of the window, with its unit; NULL for a setting that the run does not have or does not use */
char *lac_live_setting_dup_shown(LacSession     *session,
                                 const LacDraft *draft,
                                 const char     *key,
                                 const char    **label);
/* Returns: the number; NaN for a setting that is not one, or that the run does not have */
double lac_live_setting_get_number(LacSession *session, const LacDraft *draft, const char *key);

G_END_DECLS
