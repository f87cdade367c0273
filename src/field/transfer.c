/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of transfer functions. */
#include "field/transfer.h"

#include <math.h>

#define DECADES \
  1e-4 /* relative to the high end: start of a logarithmic scale whose low end is not positive */
#define SYMLOG_KNEE 1e-3 /* relative to the larger end by magnitude */
#define ASINH_KNEE  0.1

static const char *const words[LAC_N_TRANSFERS] = {"linear", "log", "symlog", "asinh", "root"};

const char *
lac_transfer_word(LacTransfer transfer)
{
  g_return_val_if_fail(transfer < LAC_N_TRANSFERS, words[0]);
  return words[transfer];
}

LacTransfer
lac_transfer_find(const char *word)
{
  for (guint i = 0; i < LAC_N_TRANSFERS; i++)
    if (g_strcmp0(words[i], word) == 0)
      return (LacTransfer) i;
  return LAC_TRANSFER_LINEAR;
}

static double
bend(const LacWarp *warp, double value)
{
  switch (warp->kind) {
  case LAC_TRANSFER_LOG: return value > 0 ? log(value) : -G_MAXDOUBLE;
  case LAC_TRANSFER_SYMLOG: return copysign(log1p(fabs(value) / warp->knee), value);
  case LAC_TRANSFER_ASINH: return asinh(value / warp->knee);
  case LAC_TRANSFER_LINEAR:
  case LAC_TRANSFER_ROOT:
  case LAC_N_TRANSFERS: break;
  }
  return value;
}

LacWarp
lac_warp_new(LacTransfer kind, double low, double high)
{
  LacWarp warp = {.kind = kind, .low = low, .high = high, .knee = 1};
  double  most = MAX(fabs(low), fabs(high));
  if (kind == LAC_TRANSFER_LOG && !(high > 0))
    warp.kind = LAC_TRANSFER_LINEAR;
  else if (kind == LAC_TRANSFER_LOG && !(low > 0))
    warp.low = DECADES * high;
  if (most > 0)
    warp.knee = most * (kind == LAC_TRANSFER_SYMLOG ? SYMLOG_KNEE : ASINH_KNEE);
  warp.base = bend(&warp, warp.low);
  warp.span = bend(&warp, warp.high) - warp.base;
  return warp;
}

double
lac_warp_at(const LacWarp *warp, double value)
{
  if (isnan(value))
    return (double) NAN;
  if (!(warp->span > 0))
    return 0.5;
  double place = (bend(warp, value) - warp->base) / warp->span;
  return warp->kind == LAC_TRANSFER_ROOT && place > 0 ? sqrt(place) : place;
}
