/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a value becomes a place between the two ends of a scale: evenly, by its logarithm, or in between. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_TRANSFER_LINEAR,
  LAC_TRANSFER_LOG, /* of what is above 0; a scale that begins lower is drawn over four decades */
  LAC_TRANSFER_SYMLOG, /* sign(v) log(1 + |v| / knee), knee a thousandth of the larger end */
  LAC_TRANSFER_ASINH,  /* asinh(v / knee), knee a tenth of the larger end */
  LAC_TRANSFER_ROOT,   /* the root of the linear place: gamma 1/2 */
  LAC_N_TRANSFERS
} LacTransfer;

/* Ready to be applied: place = (bend(v) - base) / span. Also what the shader is given. */
typedef struct {
  LacTransfer kind;
  double      low, high; /* of the scale */
  double      knee, base, span;
} LacWarp;

LacWarp lac_warp_new(LacTransfer kind, double low, double high);

/* 0 at the low end, 1 at the high one, rising; below 0 or above 1 beyond. NaN where @value is. */
double lac_warp_at(const LacWarp *warp, double value);

/* "linear", "log", "symlog", "asinh", "root"; the inverse gives linear for an unknown word */
const char *lac_transfer_word(LacTransfer transfer);
LacTransfer lac_transfer_find(const char *word);

G_END_DECLS
