/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures for the window, laid out on a thread: to be looked at, and wrapped in every format to be copied or dragged away. */
#pragma once

#include "report/canvas/vision.h"
#include "report/figure/figure.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* Keeps the runs that it has read. */
typedef struct _LacFigureMaker LacFigureMaker;

LacFigureMaker *lac_figure_maker_new(void);
LacFigureMaker *lac_figure_maker_ref(LacFigureMaker *maker);
void            lac_figure_maker_unref(LacFigureMaker *maker);

/* On a worker thread, under the lock of exports. Returns: (transfer none): read once; NULL with an error. */
LacRunFile *lac_figure_maker_get_run(LacFigureMaker *maker, const char *folder, GError **error);

typedef struct {
  LacFigure  *figure;
  LacDrawing *seen; /* as the chosen eyes see it */
  LacRunFile *run;  /* the first: what there is to choose from */
} LacFigureProof;

void lac_figure_proof_free(LacFigureProof *proof);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFigureProof, lac_figure_proof_free)

typedef struct {
  GStrv         folders; /* of the runs */
  LacFigureSpec spec;
  LacVision     vision;
  char         *path;  /* (nullable): of a parcel: where its files go, without an ending */
  gpointer      keeps; /* (nullable): held until a parcel is made: whose folder @path is in */
} LacFigureOrder;

void lac_figure_order_clear(LacFigureOrder *order);

/* Takes what @order holds. Returns: (transfer full): a request of both */
gpointer lac_figure_maker_new_request(LacFigureMaker *maker, LacFigureOrder *order);
void     lac_figure_request_free(gpointer request);

/* Work of a thread (LacJobWork). What is cancelled before its turn is not begun.
 * Returns: (transfer full): LacFigureProof; NULL with an error for the person, or G_IO_ERROR_CANCELLED. */
gpointer lac_figure_prove(gpointer request, GCancellable *cancellable, GError **error);
/* Likewise, as PDF, SVG and PNG.
 * Returns: (transfer full): GdkContentProvider: what a clipboard or a drop takes: a file, or bytes of one of the formats. */
gpointer lac_figure_wrap(gpointer request, GCancellable *cancellable, GError **error);

G_END_DECLS
