/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of an experiment's card: the panes of a finished run, side by side, without words. */
#pragma once

#include "app/session.h"

G_BEGIN_DECLS

/* Returns: FALSE when there is no frame, or the file cannot be written. */
gboolean lac_thumbnail_save(LacSession *session, const char *path);

G_END_DECLS
