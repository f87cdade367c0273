/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfer functions that map a value to a position on a colour or plot scale: linear, logarithmic, or in between. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_TRANSFER_LINEAR,
  LAC_TRANSFER_LOG, /* for positive values; if the scale starts at or below 0, it spans four decades */
  LAC_TRANSFER_SYMLOG, /* sign(v) log(1 + |v| / knee), with knee = 1/1000 of the larger end */
  LAC_TRANSFER_ASINH,  /* asinh(v / knee), with knee = 1/10 of the larger end */
  LAC_TRANSFER_ROOT,   /* square root of the linear position (gamma 1/2) */
  LAC_N_TRANSFERS
} LacTransfer;

/* Precomputed transfer function: position = (bend(v) - base) / span. The shader receives the same values. */
typedef struct {
  LacTransfer kind;
  double      low, high; /* ends of the scale */
  double      knee, base, span;
} LacWarp;

LacWarp lac_warp_new(LacTransfer kind, double low, double high);

/* Returns the position of @value on the scale: increasing, 0 at the low end, 1 at the high end, and outside 0...1
 * beyond the ends. NaN where @value is NaN. */
double lac_warp_at(const LacWarp *warp, double value);

/* Return the word for a transfer function, "linear", "log", "symlog", "asinh" or "root", and the function for a word;
 * linear for an unknown word. */
const char *lac_transfer_word(LacTransfer transfer);
LacTransfer lac_transfer_find(const char *word);

G_END_DECLS
