/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state as one vector of doubles: one list of its parts counts their values, saves them or restores them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Without both pointers the values are counted only. */
typedef struct {
  double       *to;   /* (nullable): saving */
  const double *from; /* (nullable): restoring */
  gsize         n;    /* number of values so far */
} LacPacking;

/* Packs the state of @self: calls the functions below, the same ones in the same order each time. */
typedef void (*LacPackingFunc)(gpointer self, LacPacking *packing);

void lac_packing_values(LacPacking *packing, double *values, gsize n);
void lac_packing_index(LacPacking *packing, gsize *index); /* exact below 2^53 */

gsize lac_packing_get_length(LacPackingFunc func, gconstpointer self);
void  lac_packing_save(LacPackingFunc func, gconstpointer self, double *state);
void  lac_packing_load(LacPackingFunc func, gpointer self, const double *state);

G_END_DECLS
