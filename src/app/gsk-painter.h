/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen painter: a drawing list as render nodes. Its twin for paper is report/canvas/paint.c; a test holds them together. */
#pragma once

#include "report/canvas/canvas.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @context: of the widget that shows it. */
void lac_drawing_snapshot(const LacDrawing *drawing, GtkSnapshot *snapshot, PangoContext *context);

G_END_DECLS
