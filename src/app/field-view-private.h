/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the field viewer share: the view, its OpenGL area, its pointer. */
#pragma once

#include "app/field-gl.h"
#include "app/field-overlay.h"
#include "app/field-view.h"
#include "app/gl-area.h"

G_BEGIN_DECLS

struct _LacFieldView {
  GtkWidget     parent_instance;
  LacGlArea     area;
  GtkWidget    *overlay; /* draws what is above the panes */
  LacFieldScene scene;
  LacPaneLayout layout;
  LacCamera     camera, reported; /* as look-changed was last said of it */
  LacProbe      probe;
  LacFieldLine  line;
  gboolean      draws_line; /* a drag draws it */
  LacFieldFlow *flow;
  LacClipped    clipped[2]; /* of the values, of the errors; counted as they are drawn */
  gboolean      is_counted; /* and not changed since */
  gboolean      without_probe;
  LacCamera     drag_from;
  char         *reading;
  gboolean      moves_handle, line_drag; /* what is dragged */
  double        rate;                    /* of a flicker, a second */
  guint         flicker;
  GHashTable   *kept; /* of quantity and unit: scales of a view that compares */

  LacFieldPainted painted; /* (nullable) */
  gpointer        painted_data;
};

/* What a painter is told of the view, whose panes stand as @layout says. */
LacFieldView2d
     lac_field_view_describe(LacFieldView *self, double height, const LacPaneLayout *layout);
void lac_field_view_notify_painted(LacFieldView *self, gint64 begin_ns, gint64 upload_ns);
void lac_field_view_redraw(LacFieldView *self);
/* Under a point of the widget; outside of the panes it vanishes. */
void lac_field_view_set_probe(LacFieldView *self, double x, double y);
void lac_field_view_put_probe(LacFieldView *self, const LacProbe *probe);

/* After another frame, other panes, scales or overlays. */
void lac_field_view_show_change(LacFieldView *self);
void lac_field_view_place(LacFieldView *self);

/* field-view-look.c: in a view that compares the scales of quantities outlive its channels, as another run, or another field, is
 * looked at beside the first. */
void lac_field_view_keep_scales(LacFieldView *self);
void lac_field_view_restore_scales(LacFieldView *self);

/* field-view-area.c: the area below the overlay. */
void lac_field_view_add_area(LacFieldView *self);

/* field-view-pointer.c */
void lac_field_view_add_pointer(LacFieldView *self);

G_END_DECLS
