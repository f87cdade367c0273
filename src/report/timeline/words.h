/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels beside the rows of a timeline, translated. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Translates the name of a built-in lane or counter; returns other names unchanged. */
const char *lac_timeline_word(const char *name);

G_END_DECLS
