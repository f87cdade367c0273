/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline on screen. While it shows everything it follows the run; once zoomed it stays where it is. */
#include "app/timeline-widget.h"

#include "app/gestures.h"
#include "app/gsk-painter.h"
#include "app/phrase.h"
#include "app/style.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define FONT       11.0
#define WHEEL_STEP 1.25
#define LEAST_NS   1000.0 /* the closest view is a microsecond wide */
#define MIN_WIDTH  360
#define MIN_HEIGHT 140

struct _LacTimelineWidget {
  GtkWidget     parent_instance;
  LacRecording *recording;
  double        begin, end; /* ns; begin == end: everything, following the run */
  double        drag_begin, drag_end;
  double        offset; /* of the lanes, pixels scrolled down */
  double        content_height;
  double        drag_offset, pointer_x;
  char         *selection;
};

G_DEFINE_FINAL_TYPE(LacTimelineWidget, lac_timeline_widget, GTK_TYPE_WIDGET)

enum { PROP_SELECTION = 1, N_PROPS };
static GParamSpec *props[N_PROPS];

static gboolean
is_empty(LacTimelineWidget *self)
{
  return self->recording == NULL || lac_recording_get_n_records(self->recording) == 0;
}

static void
get_range(LacTimelineWidget *self, double *begin, double *end)
{
  gint64 first = 0, last = 0;
  lac_timeline_get_extent(lac_recording_get_timeline(self->recording), &first, &last);
  *begin = self->begin < self->end ? self->begin : (double) first;
  *end = self->begin < self->end ? self->end : (double) MAX(last, first + 1000);
}

static LacTimelineView
describe(LacTimelineWidget *self)
{
  double begin, end;
  get_range(self, &begin, &end);
  return (LacTimelineView){
    .begin_ns = (gint64) begin,
    .end_ns = (gint64) end,
    .width = gtk_widget_get_width(GTK_WIDGET(self)),
    .height = gtk_widget_get_height(GTK_WIDGET(self)) + self->offset,
    .font_size = FONT,
  };
}

static void
lac_timeline_widget_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  LacTimelineWidget *self = LAC_TIMELINE_WIDGET(widget);
  if (is_empty(self))
    return;
  LacTimelineView       view = describe(self);
  g_autoptr(LacDrawing) drawing = lac_drawing_new();
  self->content_height = lac_timeline_draw(lac_recording_get_timeline(self->recording), drawing,
                                           &view, lac_style_palette());
  gtk_snapshot_save(snapshot);
  gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(0, (float) -self->offset));
  lac_drawing_snapshot(drawing, snapshot, gtk_widget_get_pango_context(widget));
  gtk_snapshot_restore(snapshot);
}

static void
set_range(LacTimelineWidget *self, double begin, double end)
{
  gint64 first = 0, last = 0;
  lac_timeline_get_extent(lac_recording_get_timeline(self->recording), &first, &last);
  double width = CLAMP(end - begin, LEAST_NS, (double) MAX(last - first, 1000));
  double middle = (begin + end) / 2;
  begin = CLAMP(middle - width / 2, (double) first,
                (double) MAX(last, first) - MIN(width, (double) (last - first)));
  self->begin = begin;
  self->end = begin + width;
  if (width >= (double) (last - first) * 0.999)
    self->begin = self->end = 0; /* all of it: follow */
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* @at: 0...1 of the width, stays under the pointer; @factor > 1 comes closer */
static void
zoom(LacTimelineWidget *self, double at, double factor)
{
  double begin, end;
  if (self->recording == NULL)
    return;
  get_range(self, &begin, &end);
  double fixed = begin + at * (end - begin);
  double width = (end - begin) / factor;
  set_range(self, fixed - at * width, fixed + (1 - at) * width);
}

static void
move(LacTimelineWidget *self, double share)
{
  double begin, end;
  if (self->recording == NULL)
    return;
  get_range(self, &begin, &end);
  double by = share * (end - begin);
  set_range(self, begin + by, end + by);
}

static void
scroll_lanes(LacTimelineWidget *self, double offset)
{
  double most = MAX(self->content_height - gtk_widget_get_height(GTK_WIDGET(self)), 0);
  self->offset = CLAMP(offset, 0, most);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static char *
describe_record(LacTimelineWidget *self, const LacRecord *record)
{
  LacCapture      *capture = lac_recording_get_capture(self->recording);
  const char      *name = lac_capture_get_name(capture, record->name);
  g_autofree char *duration = lac_phrase_span((double) record->duration_ns);
  GString         *words = g_string_new(NULL);
  g_string_printf(words, "%s · %s", name, duration);
  if (record->count > 1) {
    g_autofree char *mean = lac_phrase_span((double) record->duration_ns / (double) record->count);
    g_string_append_printf(words, _(" in %" G_GUINT64_FORMAT " calls of %s"), record->count, mean);
  }
  if (record->step >= 0)
    g_string_append_printf(words, _(" · step %" G_GINT64_FORMAT), record->step);
  g_string_append_printf(words, " · %s", lac_capture_get_lane(capture, record->lane));
  return g_string_free(words, FALSE);
}

static void
select_at(LacTimelineWidget *self, double x, double y)
{
  char *selection = NULL;
  if (x >= 0 && !is_empty(self)) {
    LacTimelineView view = describe(self);
    LacTimelineBar  bar;
    if (lac_timeline_pick(lac_recording_get_timeline(self->recording), &view, x, y + self->offset,
                          &bar))
      selection = describe_record(
        self, lac_capture_at(lac_recording_get_capture(self->recording), bar.record));
  }
  if (g_strcmp0(selection, self->selection) == 0) {
    g_free(selection);
    return;
  }
  g_free(self->selection);
  self->selection = selection;
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), selection);
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_SELECTION]);
}

/* ---- input ---- */

static void
on_motion(GtkEventControllerMotion *motion, double x, double y, LacTimelineWidget *self)
{
  self->pointer_x = x;
  select_at(self, x, y);
}

static void
on_leave(GtkEventControllerMotion *motion, LacTimelineWidget *self)
{
  select_at(self, -1, -1);
}

/* The wheel zooms at the pointer; with Shift, or sideways, it moves in time; with Alt it scrolls the lanes. */
static gboolean
on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, LacTimelineWidget *self)
{
  GdkModifierType state =
    gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
  double width = MAX(gtk_widget_get_width(GTK_WIDGET(self)), 1);
  double scale =
    gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL ? 1 : 1.0 / 40;
  if (state & GDK_ALT_MASK)
    scroll_lanes(self, self->offset + dy * scale * 40);
  else if (dx != 0 || (state & GDK_SHIFT_MASK))
    move(self, (dx + dy) * scale * 0.1);
  else
    zoom(self, CLAMP(self->pointer_x / width, 0, 1), pow(WHEEL_STEP, -dy * scale));
  return GDK_EVENT_STOP;
}

static void
on_drag_begin(GtkGestureDrag *drag, double x, double y, LacTimelineWidget *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self));
  if (self->recording != NULL)
    get_range(self, &self->drag_begin, &self->drag_end);
  self->drag_offset = self->offset;
}

static void
on_drag_update(GtkGestureDrag *drag, double dx, double dy, LacTimelineWidget *self)
{
  double width = MAX(gtk_widget_get_width(GTK_WIDGET(self)), 1);
  double by = -dx / width * (self->drag_end - self->drag_begin);
  if (self->recording == NULL)
    return;
  if (self->begin < self->end)
    set_range(self, self->drag_begin + by, self->drag_end + by);
  scroll_lanes(self, self->drag_offset - dy);
}

static void
on_pressed(GtkGestureClick *click, int n_press, double x, double y, LacTimelineWidget *self)
{
  if (n_press == 2)
    lac_timeline_widget_fit(self);
}

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacTimelineWidget     *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (gdk_keyval_to_lower(key)) {
  case GDK_KEY_w:
  case GDK_KEY_plus:
  case GDK_KEY_equal: zoom(self, 0.5, 1.5); break;
  case GDK_KEY_s:
  case GDK_KEY_minus: zoom(self, 0.5, 1 / 1.5); break;
  case GDK_KEY_a:
  case GDK_KEY_Left: move(self, -0.15); break;
  case GDK_KEY_d:
  case GDK_KEY_Right: move(self, 0.15); break;
  case GDK_KEY_Up: scroll_lanes(self, self->offset - 40); break;
  case GDK_KEY_Down: scroll_lanes(self, self->offset + 40); break;
  case GDK_KEY_0:
  case GDK_KEY_KP_0: lac_timeline_widget_fit(self); break;
  default: return GDK_EVENT_PROPAGATE;
  }
  return GDK_EVENT_STOP;
}

static void
add_controllers(LacTimelineWidget *self)
{
  static const LacGestures gestures = {
    .motion = G_CALLBACK(on_motion),
    .leave = G_CALLBACK(on_leave),
    .scroll = G_CALLBACK(on_scroll),
    .axes = GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES,
    .drag_begin = G_CALLBACK(on_drag_begin),
    .drag_update = G_CALLBACK(on_drag_update),
    .pressed = G_CALLBACK(on_pressed),
    .key_pressed = G_CALLBACK(on_key),
  };

  lac_gestures_connect(GTK_WIDGET(self), &gestures);
}

/* ---- the object ---- */

static void
lac_timeline_widget_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string(value, LAC_TIMELINE_WIDGET(object)->selection);
}

static void
lac_timeline_widget_dispose(GObject *object)
{
  LacTimelineWidget *self = LAC_TIMELINE_WIDGET(object);
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data(self->recording, self);
  g_clear_object(&self->recording);
  g_clear_pointer(&self->selection, g_free);
  G_OBJECT_CLASS(lac_timeline_widget_parent_class)->dispose(object);
}

static void
lac_timeline_widget_class_init(LacTimelineWidgetClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_timeline_widget_dispose;
  G_OBJECT_CLASS(class)->get_property = lac_timeline_widget_get_property;
  widget_class->snapshot = lac_timeline_widget_snapshot;
  props[PROP_SELECTION] =
    g_param_spec_string("selection", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name(widget_class, "timeline");
}

static void
lac_timeline_widget_init(LacTimelineWidget *self)
{
  gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_size_request(GTK_WIDGET(self), MIN_WIDTH, MIN_HEIGHT);
  lac_style_follow(GTK_WIDGET(self));
  add_controllers(self);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Timeline; the table below says the same in numbers"), -1);
}

void
lac_timeline_widget_set_recording(LacTimelineWidget *self, LacRecording *recording)
{
  g_return_if_fail(LAC_IS_TIMELINE_WIDGET(self));
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data(self->recording, self);
  g_set_object(&self->recording, recording);
  self->begin = self->end = self->offset = 0;
  if (recording != NULL)
    g_signal_connect_object(recording, "changed", G_CALLBACK(gtk_widget_queue_draw), self,
                            G_CONNECT_SWAPPED);
  select_at(self, -1, -1);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_timeline_widget_fit(LacTimelineWidget *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_WIDGET(self));
  self->begin = self->end = self->offset = 0;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
