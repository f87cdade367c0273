/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field viewer: truth, reconstructions and signed errors side by side, with one camera and a probe. */
#pragma once

#include "app/field-scale.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIELD_VIEW (lac_field_view_get_type())
G_DECLARE_FINAL_TYPE(LacFieldView, lac_field_view, LAC, FIELD_VIEW, GtkWidget)

/* @channels: borrowed until the next call */
void lac_field_view_set_channels(LacFieldView *view, const LacChannel *channels, gsize n_channels);
void lac_field_view_set_frame(LacFieldView *view, LacFrame *frame);

/* (transfer none): the quantities there are and what is shown of them. */
const LacFieldScene *lac_field_view_get_scene(LacFieldView *view);

void lac_field_view_set_quantity(LacFieldView *view, guint quantity); /* index of the scene's */
void lac_field_view_set_mode(LacFieldView *view, LacViewMode mode);
/* Says that the truth is the field of another run: titles and scales follow. */
void lac_field_view_set_compares(LacFieldView *view, gboolean compares);
/* Where one pane shows one source: the next one. */
void lac_field_view_choose_next(LacFieldView *view);
/* The handle of a swipe, 0...1; also the property "swipe". */
void lac_field_view_set_swipe(LacFieldView *view, double swipe);
/* Of a flicker, a second: kept to what is safe where less motion is asked for. */
void   lac_field_view_set_flicker_rate(LacFieldView *view, double rate);
double lac_field_view_get_flicker_rate(LacFieldView *view);
void   lac_field_view_flip(LacFieldView *view); /* a flicker by hand */
void   lac_field_view_set_smooth(LacFieldView *view, gboolean smooth);
void   lac_field_view_set_vision(LacFieldView *view, LacVision vision);
void lac_field_view_set_probing(LacFieldView *view, gboolean probing); /* crosses at the pointer */
/* The probe from cell to cell, to the right and upwards; the first time to the middle of what is seen, which follows it beyond
 * its rim. */
void      lac_field_view_move_probe(LacFieldView *view, int right, int up);
void      lac_field_view_zoom(LacFieldView *view, double factor); /* at the middle */
void      lac_field_view_fit(LacFieldView *view);
LacCamera lac_field_view_get_camera(LacFieldView *view);
void lac_field_view_set_camera(LacFieldView *view, const LacCamera *camera); /* kept in bounds */

/* ---- what a person makes of the picture: field-view-look.c ---- */
void lac_field_view_set_overlays(LacFieldView *view, const LacOverlays *overlays);
/* As lac_field_scene_set_limits() and its neighbours. */
void lac_field_view_set_limits(LacFieldView *view, gboolean of_errors, const LacScale *limits);
void lac_field_view_set_errors(LacFieldView *view, LacErrorForm form);
void lac_field_view_set_transfer(LacFieldView *view, gboolean of_errors, LacTransfer transfer);
void lac_field_view_set_map(LacFieldView *view, gboolean of_errors, const LacColourMap *map);
/* A line across all fields, from @line[0], [1] to @line[2], [3] in (u, v); NULL: none. */
void     lac_field_view_set_line(LacFieldView *view, const double line[4]);
gboolean lac_field_view_get_line(LacFieldView *view, double line[4]);
/* Whether a drag draws such a line; with Shift it always does. */
void lac_field_view_set_draws_line(LacFieldView *view, gboolean draws);
/* The next of a few lines: across, upwards, from corner to corner, none. */
void lac_field_view_next_line(LacFieldView *view);

/* Returns: of @most logical pixels those that the panes fill when they are as large as they can be. */
int lac_field_view_fit_height(LacFieldView *view, int width, int most);

/* Physical coordinates under a point of the widget. Returns: FALSE outside of the panes and of the field. */
gboolean lac_field_view_find_place(LacFieldView *view, double point[2], double at[2]);
/* Where the first pane shows physical coordinates. Returns: FALSE without a field. */
gboolean lac_field_view_find_point(LacFieldView *view, const double at[2], double point[2]);
/* Its inverse, beyond the pane too. */
void lac_field_view_unproject(LacFieldView *view, double point[2], double at[2]);

/* Called after every picture with when it was begun and ended, and with how long of it data took to the graphics card. */
typedef void (*LacFieldPainted)(gint64   begin_ns,
                                gint64   upload_ns,
                                gint64   end_ns,
                                gpointer user_data);
void lac_field_view_set_painted(LacFieldView *view, LacFieldPainted painted, gpointer user_data);

/* Property "reading": what the probe says; NULL without a probe. Signals: picture-changed: another frame, quantity, mode, scale;
 * line-changed; look-changed: the camera, the rate of a flicker. */

G_END_DECLS
