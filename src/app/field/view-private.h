/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the field viewer: view, OpenGL area, pointer. */
#pragma once

#include "app/field/gl.h"
#include "app/field/overlay.h"
#include "app/field/view.h"
#include "app/toolkit/gl-area.h"

G_BEGIN_DECLS

struct _LacFieldView {
  GtkWidget     parent_instance;
  LacGlArea     area;
  GtkWidget    *overlay; /* draws above the panes */
  LacFieldScene scene;
  LacPaneLayout layout;
  LacCamera camera, reported; /* @reported: camera when the signal look-changed was last emitted */
  LacProbe  probe;
  LacFieldLine  line;
  gboolean      draws_line; /* a drag draws the profile line */
  LacFieldFlow *flow;
  LacClipped    clipped[2]; /* values, errors; counted when drawn */
  gboolean      is_counted; /* @clipped is up to date */
  gboolean      without_probe;
  LacCamera     drag_from;
  char         *reading;
  gboolean      moves_handle,
    line_drag;           /* a drag moves the swipe handle; a drag draws the profile line */
  double           rate; /* flicker rate in cycles per second */
  guint            flicker;
  guint            first_source; /* the first one shown beside the true field, where not all fit */
  LacFieldCaption *captions;     /* (nullable): [n_captions] */
  gsize            n_captions;
  gboolean         is_bare; /* no titles, captions and colour bars */
  GHashTable      *kept;    /* saved scales of a comparison view, keyed by quantity and unit */

  LacFieldPainted painted; /* (nullable) */
  gpointer        painted_data;
};

/* Returns: the description of the view for a painter, with panes at @layout. */
LacFieldView2d
     lac_field_view_describe(LacFieldView *self, double height, const LacPaneLayout *layout);
void lac_field_view_notify_painted(LacFieldView *self, gint64 begin_ns, gint64 upload_ns);
void lac_field_view_redraw(LacFieldView *self);
/* Moves the probe to a point of the widget; hides it outside the panes. */
void lac_field_view_set_probe(LacFieldView *self, double x, double y);
void lac_field_view_put_probe(LacFieldView *self, const LacProbe *probe);

/* Call after the frame, the panes, the scales or the overlays have changed. */
void   lac_field_view_show_change(LacFieldView *self);
void   lac_field_view_place(LacFieldView *self);
double lac_field_view_get_top(LacFieldView *self); /* height of the titles above the panes */

/* field-view-look.c: save and restore the scales of a comparison view, so that they survive a change of run or
 * field. */
void lac_field_view_keep_scales(LacFieldView *self);
void lac_field_view_restore_scales(LacFieldView *self);

/* field-view-area.c: the area below the overlay. */
void lac_field_view_add_area(LacFieldView *self);

/* field-view-pointer.c */
void lac_field_view_add_pointer(LacFieldView *self);

G_END_DECLS
