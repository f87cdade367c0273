/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the widget. */
#pragma once

#include "app/timeline/widget.h"

G_BEGIN_DECLS

#define LAC_TIMELINE_ROW_SCROLL 40.0 /* pixels */

typedef enum { DRAG_MOVE, DRAG_RANGE } DragKind;

struct _LacTimelineWidget {
  GtkWidget         parent_instance;
  LacTimelineScope *scope;
  GtkWidget        *strip, *frames, *ruler, *lanes, *tracks;
  DragKind          drag;
  gboolean          drag_tracks; /* TRUE: tracks, FALSE: lanes */
  double            drag_x, drag_y, drag_offset;
  gint64            drag_begin, drag_end;
  char             *reading;
  gsize             read; /* index of the record in the reading */

  LacTimelineAnalysis *analysis; /* (nullable) */
};

/* widget.c: scrolls by @n rows. */
void lac_timeline_widget_scroll_tracks(LacTimelineWidget *widget, double n);

/* widget-keys.c: handler of a GtkEventControllerKey */
gboolean lac_timeline_widget_key(GtkEventControllerKey *keys,
                                 guint                  key,
                                 guint                  code,
                                 GdkModifierType        state,
                                 LacTimelineWidget     *self);

G_END_DECLS
