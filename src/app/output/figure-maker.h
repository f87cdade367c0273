/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures for the window, laid out in a worker thread: for preview, and in all formats for the clipboard and
 * dragging. */
#pragma once

#include "report/canvas/vision.h"
#include "report/figure/figure.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* Caches the runs it has opened. */
typedef struct _LacFigureMaker LacFigureMaker;

LacFigureMaker *lac_figure_maker_new(void);
LacFigureMaker *lac_figure_maker_ref(LacFigureMaker *maker);
void            lac_figure_maker_unref(LacFigureMaker *maker);

/* Opens a run once; call in a worker thread with the export lock. Returns: (transfer none): NULL with an error. */
LacRunFile *lac_figure_maker_get_run(LacFigureMaker *maker, const char *folder, GError **error);

typedef struct {
  LacFigure  *figure;
  LacDrawing *seen; /* with the chosen colour vision simulated */
  LacRunFile *run;  /* the figure's own run: provides the choices of the form */
} LacFigureProof;

void lac_figure_proof_free(LacFigureProof *proof);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFigureProof, lac_figure_proof_free)

typedef struct {
  GStrv         folders; /* run folders */
  LacFigureSpec spec;
  LacVision     vision;
  char         *path; /* (nullable): path of the exported files, without extension */
  gpointer
    keeps; /* (nullable): owner of the folder of @path; referenced while the files are needed */
} LacFigureOrder;

void lac_figure_order_clear(LacFigureOrder *order);

/* Moves the contents of @order into a new request. Returns: (transfer full) */
gpointer lac_figure_maker_new_request(LacFigureMaker *maker, LacFigureOrder *order);
void     lac_figure_request_free(gpointer request);

/* LacJobWork: lays the figure out. A request cancelled while it waits for the lock does no work.
 * Returns: (transfer full): LacFigureProof; NULL with an error to show, or G_IO_ERROR_CANCELLED. */
gpointer lac_figure_prove(gpointer request, GCancellable *cancellable, GError **error);
/* LacJobWork: writes the figure as PDF, SVG and PNG, for the clipboard and for dragging.
 * Returns: (transfer full): GdkContentProvider that offers a file, or the bytes of each format; NULL with an error. */
gpointer lac_figure_wrap(gpointer request, GCancellable *cancellable, GError **error);

G_END_DECLS
