/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number that a way of reconstructing reports step by step: loss terms, coefficients, spread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Declared before the run. */
typedef struct {
  const char *key;   /* "viscosity", "loss", "loss_continuity"; interned */
  const char *label; /* translatable */
  const char *unit;
  gboolean    log_axis;
  gboolean    is_result;
  double      reference; /* the true value, drawn as a line; NaN: there is none */
} LacCurve;

G_END_DECLS
