/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the table of methods and their cells with widgets of their own. Used by app/live/method-view.c alone. */
#pragma once

#include "app/session/session.h"
#include "app/toolkit/column-table.h"
#include "report/summary/method-table.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget          *view; /* LacMethodView, which owns the item */
  LacSession         *session;
  const LacMethodRow *data;  /* present values, of the view's table */
  guint               row;   /* in that table */
  guint               look;  /* of its curves, report/plot/plot.h; 0: a comparison */
  gssize              curve; /* metric drawn by step; -1: none */
  gboolean            is_hidden, is_best;
} LacMethodItem;

/* Hides or shows the curves of the method: emits "toggled" of the view. */
void lac_method_item_toggle(LacMethodItem *item);
/* Compares two items by name. */
int lac_method_item_compare(gpointer a, gpointer b, gconstpointer data);

extern const LacColumnCell lac_method_cell, lac_method_spark_cell;

G_END_DECLS
