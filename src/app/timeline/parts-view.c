/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer, keys and texts of a drawing of parts. */
#include "app/timeline/parts-view.h"

#include "app/toolkit/style.h"

#include <math.h>

#define LEAST_WIDTH 200

typedef struct {
  LacTimelineTimes *times;
  GArray           *hits; /* LacHit, of the last drawing */
  gssize            at;   /* part at the position of the keys; -1: none */
} LacPartsViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(LacPartsView, lac_parts_view, LAC_TYPE_DRAWING_VIEW)

static LacPartsViewPrivate *
get_private(LacPartsView *self)
{
  return lac_parts_view_get_instance_private(self);
}

/* ---- texts ---- */

/* Says the part at the position of the keys, else all parts. */
static void
describe(LacPartsView *self)
{
  LacPartsViewPrivate *private = get_private(self);
  const LacTimes    *times = lac_timeline_times_get(private->times);
  g_autoptr(GString) words = g_string_new(NULL);
  gssize             last = -1;
  for (guint i = 0; times != NULL && i < private->hits->len; i++) {
    const gssize part = (gssize) g_array_index(private->hits, LacHit, i).part;
    if (private->at >= 0 ? part != private->at : part <= last)
      continue; /* a legend repeats the parts */
    last = part;
    g_autofree char *text = LAC_PARTS_VIEW_GET_CLASS(self)->describe(self, times, (gsize) part);
    g_string_append_printf(words, "%s%s", words->len > 0 ? "; " : "", text);
    if (private->at >= 0)
      break;
  }
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 words->str, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words->str, -1);
}

static gboolean
lac_parts_view_query_tooltip(GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip)
{
  LacPartsView *self = LAC_PARTS_VIEW(widget);
  LacPartsViewPrivate *private = get_private(self);
  const LacTimes *times = lac_timeline_times_get(private->times);
  const LacHit   *hit = by_key ? NULL : lac_hits_find(private->hits, x, y);
  if (times == NULL || hit == NULL)
    return FALSE;
  g_autofree char *text = LAC_PARTS_VIEW_GET_CLASS(self)->describe(self, times, hit->part);
  gtk_tooltip_set_text(tooltip, text);
  return TRUE;
}

/* ---- drawing ---- */

/* Outlines the part at the position of the keys. */
static void
draw_position(LacPartsView *self, LacDrawing *drawing)
{
  LacPartsViewPrivate *private = get_private(self);
  for (guint i = 0; i < private->hits->len; i++) {
    const LacBox box = g_array_index(private->hits, LacHit, i).box;
    if (private->at < 0 || g_array_index(private->hits, LacHit, i).part != (gsize) private->at)
      continue;
    const double   right = box.x + MAX(box.width, 3), bottom = box.y + box.height;
    const LacPoint line[] = {{box.x + 1, box.y + 1},
                             {right - 1, box.y + 1},
                             {right - 1, bottom - 1},
                             {box.x + 1, bottom - 1},
                             {box.x + 1, box.y + 1}};
    lac_draw_lines(drawing, line, G_N_ELEMENTS(line), 4, lac_style_palette()->background);
    lac_draw_lines(drawing, line, G_N_ELEMENTS(line), 2, lac_style_palette()->foreground);
    return;
  }
}

static void
lac_parts_view_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacPartsView *self = LAC_PARTS_VIEW(view);
  LacPartsViewPrivate *private = get_private(self);
  const LacTimes *times = lac_timeline_times_get(private->times);
  g_array_set_size(private->hits, 0);
  if (times == NULL)
    return;
  LAC_PARTS_VIEW_GET_CLASS(self)->paint(self, times, drawing, width, private->hits);
  if (gtk_widget_has_focus(GTK_WIDGET(self)))
    draw_position(self, drawing);
}

int
lac_parts_view_find_height(LacPartsView *self, int width)
{
  g_return_val_if_fail(LAC_IS_PARTS_VIEW(self), 0);
  const LacTimes       *times = lac_timeline_times_get(get_private(self)->times);
  static const LacTimes none = {0};
  return (int) ceil(LAC_PARTS_VIEW_GET_CLASS(self)->paint(self, times != NULL ? times : &none, NULL,
                                                          MAX(width, LEAST_WIDTH), NULL));
}

static void
lac_parts_view_measure(GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *least,
                       int           *natural,
                       int           *least_baseline,
                       int           *natural_baseline)
{
  *least = *natural = orientation == GTK_ORIENTATION_VERTICAL
                        ? lac_parts_view_find_height(LAC_PARTS_VIEW(widget), for_size)
                        : LEAST_WIDTH;
}

static GtkSizeRequestMode
lac_parts_view_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* ---- pointer and keys ---- */

static void
lac_parts_view_click(LacDrawingView *view, double x, double y)
{
  LacPartsView *self = LAC_PARTS_VIEW(view);
  LacPartsViewPrivate *private = get_private(self);
  const LacHit *found = lac_hits_find(private->hits, x, y);
  if (found == NULL || found->name == LAC_NO_NAME) {
    lac_timeline_scope_choose(lac_timeline_times_get_scope(private->times), LAC_NO_NAME);
    return;
  }
  const LacHit hit = *found;
  private->at = (gssize) hit.part;
  LAC_PARTS_VIEW_GET_CLASS(self)->choose(self, &hit);
}

static const LacHit *
find_part(LacPartsView *self, gssize part)
{
  LacPartsViewPrivate *private = get_private(self);
  for (guint i = 0; i < private->hits->len; i++)
    if ((gssize) g_array_index(private->hits, LacHit, i).part == part)
      return &g_array_index(private->hits, LacHit, i);
  return NULL;
}

void
lac_parts_view_move_to(LacPartsView *self, gsize part)
{
  g_return_if_fail(LAC_IS_PARTS_VIEW(self));
  get_private(self)->at = (gssize) part;
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void
lac_parts_view_activate(LacPartsView *self)
{
  g_return_if_fail(LAC_IS_PARTS_VIEW(self));
  const LacHit *found = find_part(self, get_private(self)->at);
  if (found == NULL || found->name == LAC_NO_NAME)
    return;
  const LacHit hit = *found;
  LAC_PARTS_VIEW_GET_CLASS(self)->choose(self, &hit);
}

static double
middle(const LacBox *box)
{
  return box->x + box->width / 2;
}

/* Returns the distance of @to from @from in the direction (@dx, @dy); infinite if it does not lie there. Within a row,
 * boxes are next to one another; above and below, the box over or under the middle is nearest. */
static double
distance(const LacBox *from, const LacBox *to, int dx, int dy)
{
  const double down = (to->y - from->y) * dy, right = (to->x - from->x) * dx;
  if (dx != 0)
    return fabs(to->y - from->y) < 1 && right > 0.01 ? right : HUGE_VAL;
  if (down < 1)
    return HUGE_VAL;
  const double beside = MAX(MAX(to->x - middle(from), middle(from) - to->x - to->width), 0);
  return down * 1e4 + beside;
}

/* Moves to the next part in a direction; to the first one without a position. */
static void
move(LacPartsView *self, int dx, int dy)
{
  LacPartsViewPrivate *private = get_private(self);
  const LacHit *from = find_part(self, private->at), *best = NULL;
  double        least = HUGE_VAL;
  for (guint i = 0; i < private->hits->len; i++) {
    const LacHit *hit = &g_array_index(private->hits, LacHit, i);
    const double  far = from != NULL ? distance(&from->box, &hit->box, dx, dy) : (double) i;
    if (far < least && hit->part != (gsize) private->at) {
      best = hit;
      least = far;
    }
  }
  if (best != NULL)
    lac_parts_view_move_to(self, best->part);
}

static gboolean
lac_parts_view_key(LacDrawingView *view, guint key, GdkModifierType state)
{
  LacPartsView *self = LAC_PARTS_VIEW(view);
  LacPartsViewPrivate *private = get_private(self);
  LacTimelineScope *scope = lac_timeline_times_get_scope(private->times);
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (key) {
  case GDK_KEY_Left: move(self, -1, 0); break;
  case GDK_KEY_Right: move(self, 1, 0); break;
  case GDK_KEY_Up: move(self, 0, -1); break;
  case GDK_KEY_Down: move(self, 0, 1); break;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_space: lac_parts_view_activate(self); break;
  case GDK_KEY_n: lac_timeline_scope_select_outlier(scope, 1); break;
  case GDK_KEY_p: lac_timeline_scope_select_outlier(scope, -1); break;
  case GDK_KEY_Escape:
    if (!lac_timeline_scope_clear(scope))
      return GDK_EVENT_PROPAGATE;
    break;
  default: return GDK_EVENT_PROPAGATE;
  }
  return GDK_EVENT_STOP;
}

/* The keys begin at the chosen part. */
static void
on_focus(LacPartsView *self)
{
  LacPartsViewPrivate *private = get_private(self);
  const LacTimes *times = lac_timeline_times_get(private->times);
  if (private->at < 0 && times != NULL)
  private->at = LAC_PARTS_VIEW_GET_CLASS(self)->find_chosen(self, times);
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- the object ---- */

void
lac_parts_view_update(LacPartsView *self)
{
  g_return_if_fail(LAC_IS_PARTS_VIEW(self));
  LacPartsViewPrivate *private = get_private(self);
  const LacTimes *times = lac_timeline_times_get(private->times);
  g_array_set_size(private->hits, 0);
  private->at = -1;
  if (times != NULL) /* hits for screen readers and keys, before the first drawing too */
    LAC_PARTS_VIEW_GET_CLASS(self)->paint(
      self, times, NULL, MAX(gtk_widget_get_width(GTK_WIDGET(self)), LEAST_WIDTH), private->hits);
  describe(self);
  gtk_widget_queue_resize(GTK_WIDGET(self));
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
on_scope(LacPartsView *self, guint what)
{
  if (what & (LAC_SCOPE_CHOSEN | LAC_SCOPE_LOOKS))
    gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void
lac_parts_view_dispose(GObject *object)
{
  g_clear_object(&get_private(LAC_PARTS_VIEW(object))->times);
  G_OBJECT_CLASS(lac_parts_view_parent_class)->dispose(object);
}

static void
lac_parts_view_finalize(GObject *object)
{
  g_array_unref(get_private(LAC_PARTS_VIEW(object))->hits);
  G_OBJECT_CLASS(lac_parts_view_parent_class)->finalize(object);
}

static void
lac_parts_view_class_init(LacPartsViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_parts_view_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_parts_view_finalize;
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_parts_view_draw;
  LAC_DRAWING_VIEW_CLASS(class)->click = lac_parts_view_click;
  LAC_DRAWING_VIEW_CLASS(class)->key = lac_parts_view_key;
  widget_class->measure = lac_parts_view_measure;
  widget_class->get_request_mode = lac_parts_view_get_request_mode;
  widget_class->query_tooltip = lac_parts_view_query_tooltip;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
  gtk_widget_class_set_css_name(widget_class, "timeline");
}

static void
lac_parts_view_init(LacPartsView *self)
{
  LacPartsViewPrivate *private = get_private(self);
  GtkEventController *focus = gtk_event_controller_focus_new();
  private->hits = lac_hits_new();
  private->at = -1;
  g_signal_connect_swapped(focus, "enter", G_CALLBACK(on_focus), self);
  g_signal_connect_swapped(focus, "leave", G_CALLBACK(gtk_widget_queue_draw), self);
  gtk_widget_add_controller(GTK_WIDGET(self), focus);
  gtk_widget_set_has_tooltip(GTK_WIDGET(self), TRUE);
}

void
lac_parts_view_set_times(LacPartsView *self, LacTimelineTimes *times)
{
  LacPartsViewPrivate *private = get_private(self);
  g_return_if_fail(LAC_IS_PARTS_VIEW(self) && private->times == NULL);
  private->times = g_object_ref(times);
  g_signal_connect_object(times, "changed", G_CALLBACK(lac_parts_view_update), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(lac_timeline_times_get_scope(times), "changed", G_CALLBACK(on_scope),
                          self, G_CONNECT_SWAPPED);
}

LacTimelineTimes *
lac_parts_view_get_times(LacPartsView *self)
{
  g_return_val_if_fail(LAC_IS_PARTS_VIEW(self), NULL);
  return get_private(self)->times;
}
