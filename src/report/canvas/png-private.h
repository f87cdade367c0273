/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of a PNG that Cairo does not write: its resolution, and what it says of itself. */
#pragma once

#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

/* Append chunks that may stand behind the header chunk. */
void lac_png_resolve(GByteArray *chunks, double dpi);
void lac_png_describe(GByteArray *chunks, const LacPaperFacts *facts);

G_END_DECLS
