/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field viewer: truth, reconstructions and signed errors side by side, with one camera and a probe. */
#pragma once

#include "app/field/overlay.h"
#include "app/field/scale.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_FIELD_VIEW (lac_field_view_get_type())
G_DECLARE_FINAL_TYPE(LacFieldView, lac_field_view, LAC, FIELD_VIEW, GtkWidget)

/* @channels: borrowed until the next call */
void lac_field_view_set_channels(LacFieldView *view, const LacChannel *channels, gsize n_channels);
void lac_field_view_set_frame(LacFieldView *view, LacFrame *frame);

/* (transfer none): available quantities and display settings. */
const LacFieldScene *lac_field_view_get_scene(LacFieldView *view);

void lac_field_view_set_quantity(LacFieldView *view, guint quantity); /* index in the scene */
void lac_field_view_set_mode(LacFieldView *view, LacViewMode mode);
/* @compares: the "truth" is the field of another run; titles and scales follow. */
void lac_field_view_set_compares(LacFieldView *view, gboolean compares);
/* Shows the next source, in modes with one pane. */
void lac_field_view_choose_next(LacFieldView *view);
/* Position of the swipe handle, 0...1; also the property "swipe". */
void lac_field_view_set_swipe(LacFieldView *view, double swipe);
/* Flicker rate in cycles per second; limited to a safe value under reduced motion. */
void   lac_field_view_set_flicker_rate(LacFieldView *view, double rate);
double lac_field_view_get_flicker_rate(LacFieldView *view);
void   lac_field_view_flip(LacFieldView *view); /* switches to the other field of a flicker */
void   lac_field_view_set_smooth(LacFieldView *view, gboolean smooth);
void   lac_field_view_set_vision(LacFieldView *view, LacVision vision);
void   lac_field_view_set_probing(LacFieldView *view,
                                  gboolean      probing); /* crosshairs at the pointer */
/* Moves the probe by cells, to the right and upwards; the first call puts it at the centre of the view. The view
 * scrolls with it. */
void lac_field_view_move_probe(LacFieldView *view, int right, int up);

/* Returns: (nullable): the values at the probe as text. */
const char *lac_field_view_get_reading(LacFieldView *view);
void        lac_field_view_zoom(LacFieldView *view, double factor); /* about the centre */
void        lac_field_view_fit(LacFieldView *view);
LacCamera   lac_field_view_get_camera(LacFieldView *view);
void        lac_field_view_set_camera(LacFieldView    *view,
                                      const LacCamera *camera); /* clamped to the bounds */

/* ---- display settings of the user: field-view-look.c ---- */
void lac_field_view_set_overlays(LacFieldView *view, const LacOverlays *overlays);
/* Call the functions of the same names in app/field-scale.h and app/field-scene.h, and redraw. */
void lac_field_view_restart_scales(LacFieldView *view);
void lac_field_view_set_limits(LacFieldView *view, gboolean of_errors, const LacScale *limits);
void lac_field_view_set_errors(LacFieldView *view, LacErrorForm form);
void lac_field_view_set_one_scale(LacFieldView *view, gboolean one_scale);
void lac_field_view_set_transfer(LacFieldView *view, gboolean of_errors, LacTransfer transfer);
void lac_field_view_set_map(LacFieldView *view, gboolean of_errors, const LacColourMap *map);
/* @line: a line across all fields from ([0], [1]) to ([2], [3]) in (u, v); NULL: none. */
void     lac_field_view_set_line(LacFieldView *view, const double line[4]);
gboolean lac_field_view_get_line(LacFieldView *view, double line[4]);
/* @draws: a drag draws the profile line even without Shift. */
void lac_field_view_set_draws_line(LacFieldView *view, gboolean draws);
/* Cycles through horizontal, vertical, diagonal and no line. */
void lac_field_view_next_line(LacFieldView *view);

/* @captions: [n], one per channel, copied; 0: none. Reset by lac_field_view_set_channels(). */
void lac_field_view_set_captions(LacFieldView *view, const LacFieldCaption *captions, gsize n);
/* Returns: the look (report/plot/plot.h) of the curves of a source, by the label of its channel; 0: unknown. */
guint lac_field_view_find_look(LacFieldView *view, const char *label);
/* Calls lac_field_scene_set_ranks(), and redraws. */
void lac_field_view_set_ranks(LacFieldView *view, const guint *ranks);
/* @bare: shows the fields without titles, captions and colour bars, for a small picture of one field. */
void lac_field_view_set_bare(LacFieldView *view, gboolean bare);
/* @radius: of circles around the markers, in axis units; 0: rings of one size; negative: no markers */
void lac_field_view_set_marker_radius(LacFieldView *view, double radius);
/* Moves by columns where more sources than fit have their error below. */
void lac_field_view_scroll(LacFieldView *view, int columns);

/* Returns: the height in logical pixels that the panes need at their largest size for this width; at most @most. */
int lac_field_view_fit_height(LacFieldView *view, int width, int most);

/* Gets the physical coordinates at a point of the widget. Returns: FALSE outside the panes or the field. */
gboolean lac_field_view_find_place(LacFieldView *view, double point[2], double at[2]);
/* Gets the point of the widget at which the first pane shows physical coordinates. Returns: FALSE without a field. */
gboolean lac_field_view_find_point(LacFieldView *view, const double at[2], double point[2]);
/* Inverse of lac_field_view_find_point(), also outside the pane. */
void lac_field_view_unproject(LacFieldView *view, double point[2], double at[2]);

/* Called after each redraw with its start and end times, and the time spent uploading data to the graphics card. */
typedef void (*LacFieldPainted)(gint64   begin_ns,
                                gint64   upload_ns,
                                gint64   end_ns,
                                gpointer user_data);
void lac_field_view_set_painted(LacFieldView *view, LacFieldPainted painted, gpointer user_data);

/* Property "reading": text of the probe's values; NULL without a probe. Signals: picture-changed: another frame,
 * quantity, mode, scale; line-changed; look-changed: camera or flicker rate. */

G_END_DECLS
