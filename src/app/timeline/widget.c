/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline: its parts one below the other, with pointer and key handling. */
#include "app/timeline/frames.h"
#include "app/timeline/part.h"
#include "app/timeline/reading.h"
#include "app/timeline/widget-private.h"
#include "app/toolkit/accessible.h"
#include "report/timeline/strip.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define WHEEL_STEP 1.25
#define STILL      4.0 /* pixels: a shorter drag is a click */
#define MIN_WIDTH  360

G_DEFINE_FINAL_TYPE(LacTimelineWidget, lac_timeline_widget, GTK_TYPE_WIDGET)

enum { PROP_READING = 1, N_PROPS };
static GParamSpec *props[N_PROPS];
enum { ACTIVATED, MARKED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- texts ---- */

static void
set_reading(LacTimelineWidget *self, char *reading)
{
  if (g_strcmp0(reading, self->reading) == 0) {
    g_free(reading);
    return;
  }
  g_free(self->reading);
  self->reading = reading;
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_READING]);
}

static void
read_bar(LacTimelineWidget *self, const LacTimelineBar *bar)
{
  if (bar == NULL)
    bar = lac_timeline_scope_get_selected(self->scope);
  LacRecording *recording = lac_timeline_scope_get_recording(self->scope);
  gboolean      any = bar != NULL && recording != NULL;
  self->read = any ? bar->record : G_MAXSIZE;
  set_reading(self, any ? lac_timeline_dup_reading(self->scope, self->analysis, bar) : NULL);
}

static void
describe_reading(LacTimelineWidget *self)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 self->reading != NULL ? self->reading : "", -1);
}

/* Updates the reading of the bar that was jumped to; a reading under the pointer updates with the next motion. */
static void
on_analysis(LacTimelineWidget *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  if (bar == NULL || bar->record != self->read)
    return;
  read_bar(self, NULL);
  describe_reading(self);
}

/* ---- coordinates ---- */

static double
width_of(LacTimelineWidget *self)
{
  return MAX(gtk_widget_get_width(self->lanes), 1);
}

static double
room_of(LacTimelineWidget *self)
{
  return gtk_widget_get_height(self->lanes);
}

static gint64
time_at(LacTimelineWidget *self, double x)
{
  gint64 begin, end;
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  return begin + (gint64) (CLAMP(x / width_of(self), 0, 1) * (double) (end - begin));
}

static gboolean
pick(LacTimelineWidget *self, double x, double y, LacTimelineBar *bar)
{
  if (lac_timeline_scope_is_empty(self->scope) || y < 0 || y > room_of(self))
    return FALSE;
  LacTimelineView view = lac_timeline_part_view(self->scope, width_of(self), room_of(self));
  LacRecording   *recording = lac_timeline_scope_get_recording(self->scope);
  return lac_timeline_pick(lac_recording_get_timeline(recording), &view, x, y, bar);
}

/* ---- the pointer ---- */

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacTimelineWidget *self)
{
  LacTimelineBar bar;
  double         lanes_x, lanes_y;
  GtkWidget     *box = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(motion));
  if (lac_timeline_scope_is_empty(self->scope))
    return;
  gtk_widget_translate_coordinates(box, self->lanes, x, y, &lanes_x, &lanes_y);
  lac_timeline_scope_set_cursor(self->scope, time_at(self, lanes_x));
  read_bar(self, pick(self, lanes_x, lanes_y, &bar) ? &bar : NULL);
}

static void
on_leave(GtkEventControllerMotion *motion, LacTimelineWidget *self)
{
  lac_timeline_scope_set_cursor(self->scope, LAC_NO_TIME);
  read_bar(self, NULL);
}

void
lac_timeline_widget_scroll_tracks(LacTimelineWidget *self, double n)
{
  lac_timeline_scope_scroll_tracks(self->scope, lac_timeline_scope_get_track_offset(self->scope) +
                                                  n * LAC_TIMELINE_TRACK_HEIGHT);
}

/* Alt and the wheel scroll the tracks. */
static gboolean
on_tracks_scroll(GtkEventControllerScroll *scroll, double dx, double dy, LacTimelineWidget *self)
{
  GdkModifierType state =
    gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
  double scale =
    gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL ? 1 : 1.0 / 40;
  if ((state & GDK_ALT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  lac_timeline_widget_scroll_tracks(self, dy * scale);
  return GDK_EVENT_STOP;
}

/* The wheel zooms at the pointer; with Shift, or sideways, it pans in time; with Alt it scrolls the lanes. */
static gboolean
on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, LacTimelineWidget *self)
{
  GdkModifierType state =
    gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
  gint64 begin, end, cursor = lac_timeline_scope_get_cursor(self->scope);
  double scale =
    gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL ? 1 : 1.0 / 40;
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  double at =
    cursor == LAC_NO_TIME ? 0.5 : (double) (cursor - begin) / (double) MAX(end - begin, 1);
  if (state & GDK_ALT_MASK)
    lac_timeline_scope_scroll(self->scope,
                              lac_timeline_scope_get_offset(self->scope) +
                                dy * scale * LAC_TIMELINE_ROW_SCROLL,
                              room_of(self));
  else if (dx != 0 || (state & GDK_SHIFT_MASK))
    lac_timeline_scope_move(self->scope, (dx + dy) * scale * 0.1);
  else
    lac_timeline_scope_zoom(self->scope, CLAMP(at, 0, 1), pow(WHEEL_STEP, -dy * scale));
  return GDK_EVENT_STOP;
}

/* A drag selects a range on the ruler and the thumbnails; on the lanes it pans, or with Shift selects a range. */
static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacTimelineWidget *self)
{
  GtkWidget      *part = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(drag));
  GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
  gtk_widget_grab_focus(GTK_WIDGET(self));
  const gboolean over = part == self->ruler || part == self->frames;
  self->drag = over || (state & GDK_SHIFT_MASK) ? DRAG_RANGE : DRAG_MOVE;
  self->drag_x = x;
  self->drag_y = y;
  self->drag_tracks = part == self->tracks;
  self->drag_offset = self->drag_tracks ? lac_timeline_scope_get_track_offset(self->scope)
                                        : lac_timeline_scope_get_offset(self->scope);
  lac_timeline_scope_get_view(self->scope, &self->drag_begin, &self->drag_end);
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacTimelineWidget *self)
{
  if (fabs(dx) < STILL && fabs(dy) < STILL)
    return;
  gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->drag == DRAG_RANGE) {
    lac_timeline_scope_set_range(self->scope, time_at(self, self->drag_x),
                                 time_at(self, self->drag_x + dx));
    return;
  }
  double by = -dx / width_of(self) * (double) (self->drag_end - self->drag_begin);
  lac_timeline_scope_show(self->scope, (double) self->drag_begin + by,
                          (double) self->drag_end + by);
  if (self->drag_tracks)
    lac_timeline_scope_scroll_tracks(self->scope, self->drag_offset - dy);
  else
    lac_timeline_scope_scroll(self->scope, self->drag_offset - dy, room_of(self));
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacTimelineWidget *self)
{
  LacTimelineBar bar;
  if (n_press == 2 && pick(self, x, y, &bar))
    g_signal_emit(self, signals[ACTIVATED], 0);
  else if (n_press == 2)
    lac_timeline_scope_fit(self->scope);
}

static void
on_released(GtkGestureClick *click, int n_press, double x, double y, LacTimelineWidget *self)
{
  LacTimelineBar bar;
  if (n_press == 1 && pick(self, x, y, &bar)) {
    lac_timeline_scope_choose(self->scope, bar.name);
    lac_timeline_scope_select(self->scope, &bar);
  } else if (n_press == 1) {
    lac_timeline_scope_choose(self->scope, LAC_NO_NAME);
    lac_timeline_scope_select(self->scope, NULL);
  }
}

/* ---- the strip: a click selects the longest iteration there, a drag brings that time into view ---- */

static void
on_strip_pressed(GtkGestureClick *click, int n_press, double x, double y, LacTimelineWidget *self)
{
  LacTimelineBar bar;
  LacRecording  *recording = lac_timeline_scope_get_recording(self->scope);
  gtk_widget_grab_focus(GTK_WIDGET(self));
  if (lac_timeline_scope_is_empty(self->scope))
    return;
  LacTimelineView      view = lac_timeline_part_view(self->scope, width_of(self), 0);
  const LacIterations *iterations = lac_recording_get_iterations(recording);
  gssize               i = lac_timeline_pick_strip(iterations, &view, x);
  if (i < 0 || !lac_timeline_find(lac_recording_get_timeline(recording),
                                  iterations->iterations[i].record, &bar))
    return;
  lac_timeline_scope_select(self->scope, &bar);
  lac_timeline_scope_reveal(self->scope, &bar);
  if (n_press == 2)
    g_signal_emit(self, signals[ACTIVATED], 0);
}

static void
on_strip_drag(GtkGestureDrag *drag, double dx, double dy, LacTimelineWidget *self)
{
  double x, y;
  if (fabs(dx) < STILL || lac_timeline_scope_is_empty(self->scope))
    return;
  gtk_gesture_drag_get_start_point(drag, &x, &y);
  lac_timeline_scope_show(self->scope, (double) time_at(self, MIN(x, x + dx)),
                          (double) time_at(self, MAX(x, x + dx)));
}

/* ---- changes of the scope ---- */

/* Scrolls the lanes to a bar selected by other means than the pointer. */
static void
show_row(LacTimelineWidget *self, const LacTimelineBar *bar)
{
  double top, height, offset = lac_timeline_scope_get_offset(self->scope), room = room_of(self);
  lac_timeline_get_box(lac_recording_get_timeline(lac_timeline_scope_get_recording(self->scope)),
                       bar, LAC_TIMELINE_FONT, &top, &height);
  if (top < offset || top + height > offset + room)
    lac_timeline_scope_scroll(self->scope, top - room / 3, room);
}

static void
on_scope(LacTimelineWidget *self, guint what)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  if (!(what & LAC_SCOPE_SELECTED))
    return;
  if (bar != NULL)
    show_row(self, bar);
  read_bar(self, NULL);
  describe_reading(self);
}

/* ---- the object ---- */

static void
lac_timeline_widget_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string(value, LAC_TIMELINE_WIDGET(object)->reading);
}

static void
lac_timeline_widget_dispose(GObject *object)
{
  LacTimelineWidget *self = LAC_TIMELINE_WIDGET(object);
  GtkWidget         *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  g_clear_object(&self->analysis);
  g_clear_object(&self->scope);
  g_clear_pointer(&self->reading, g_free);
  G_OBJECT_CLASS(lac_timeline_widget_parent_class)->dispose(object);
}

static void
lac_timeline_widget_class_init(LacTimelineWidgetClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_timeline_widget_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_timeline_widget_get_property;
  props[PROP_READING] =
    g_param_spec_string("reading", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  signals[ACTIVATED] = g_signal_new("activated", LAC_TYPE_TIMELINE_WIDGET, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MARKED] = g_signal_new("marked", LAC_TYPE_TIMELINE_WIDGET, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name(widget_class, "timeline");
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_drag(LacTimelineWidget *self, GtkWidget *part)
{
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), self);
  gtk_widget_add_controller(part, GTK_EVENT_CONTROLLER(drag));
}

static void
add_pointer(LacTimelineWidget *self, GtkWidget *box)
{
  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "motion", G_CALLBACK(on_motion), self);
  g_signal_connect(motion, "leave", G_CALLBACK(on_leave), self);
  gtk_widget_add_controller(box, motion);
  GtkEventController *scroll =
    gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), self);
  gtk_widget_add_controller(box, scroll);

  add_drag(self, self->frames);
  add_drag(self, self->ruler);
  add_drag(self, self->lanes);
  add_drag(self, self->tracks);
  scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect(scroll, "scroll", G_CALLBACK(on_tracks_scroll), self);
  gtk_widget_add_controller(self->tracks, scroll);
  GtkGesture *click = gtk_gesture_click_new();
  g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), self);
  g_signal_connect(click, "released", G_CALLBACK(on_released), self);
  gtk_widget_add_controller(self->lanes, GTK_EVENT_CONTROLLER(click));

  GtkGesture *choose = gtk_gesture_click_new();
  g_signal_connect(choose, "pressed", G_CALLBACK(on_strip_pressed), self);
  gtk_widget_add_controller(self->strip, GTK_EVENT_CONTROLLER(choose));
  GtkGesture *brush = gtk_gesture_drag_new();
  g_signal_connect(brush, "drag-end", G_CALLBACK(on_strip_drag), self);
  gtk_widget_add_controller(self->strip, GTK_EVENT_CONTROLLER(brush));
}

/* Overlays @over on @below, transparent to the pointer. */
static GtkWidget *
cover(GtkWidget *below, GtkWidget *over)
{
  GtkWidget *overlay = gtk_overlay_new();
  gtk_overlay_set_child(GTK_OVERLAY(overlay), below);
  gtk_widget_set_can_target(over, FALSE);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), over);
  return overlay;
}

static void
lac_timeline_widget_init(LacTimelineWidget *self)
{
  self->scope = lac_timeline_scope_new();
  self->strip = lac_timeline_part_new(&lac_timeline_strip_look, self->scope);
  self->ruler = lac_timeline_part_new(&lac_timeline_ruler_look, self->scope);
  self->lanes = lac_timeline_part_new(&lac_timeline_lanes_look, self->scope);
  self->tracks = lac_timeline_part_new(&lac_timeline_tracks_look, self->scope);
  GtkWidget *names = lac_timeline_part_new(&lac_timeline_names_look, self->scope);
  GtkWidget *whole = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_vexpand(self->lanes, TRUE);
  GtkWidget *lanes =
    cover(self->lanes, lac_timeline_part_new(&lac_timeline_brush_look, self->scope));
  gtk_box_append(GTK_BOX(box), self->ruler);
  gtk_box_append(GTK_BOX(box), self->strip);
  gtk_box_append(GTK_BOX(box), lanes);
  gtk_box_append(GTK_BOX(box), self->tracks);
  self->frames = lac_timeline_frames_new(self->scope, GTK_OVERLAY(lanes));
  gtk_widget_set_margin_start(self->frames, LAC_TIMELINE_NAMES);
  gtk_widget_set_size_request(names, LAC_TIMELINE_NAMES, -1);
  gtk_widget_set_hexpand(names, FALSE);
  gtk_box_append(GTK_BOX(both), names);
  gtk_box_append(GTK_BOX(both),
                 cover(box, lac_timeline_part_new(&lac_timeline_overlay_look, self->scope)));
  gtk_box_append(GTK_BOX(whole), self->frames);
  gtk_box_append(GTK_BOX(whole), both);
  gtk_widget_set_direction(both, GTK_TEXT_DIR_LTR); /* time runs from left to right */
  gtk_widget_set_parent(whole, GTK_WIDGET(self));
  add_pointer(self, box);

  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(lac_timeline_widget_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_size_request(GTK_WIDGET(self), MIN_WIDTH, -1);
  g_signal_connect_object(self->scope, "changed", G_CALLBACK(on_scope), self, G_CONNECT_SWAPPED);
  lac_accessible_name(self, _("Timeline; the tables below contain the same data"));
}

LacTimelineScope *
lac_timeline_widget_get_scope(LacTimelineWidget *self)
{
  g_return_val_if_fail(LAC_IS_TIMELINE_WIDGET(self), NULL);
  return self->scope;
}

void
lac_timeline_widget_set_analysis(LacTimelineWidget *self, LacTimelineAnalysis *analysis)
{
  g_return_if_fail(LAC_IS_TIMELINE_WIDGET(self) && self->analysis == NULL);
  self->analysis = g_object_ref(analysis);
  g_signal_connect_object(analysis, "changed", G_CALLBACK(on_analysis), self, G_CONNECT_SWAPPED);
}
