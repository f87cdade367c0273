/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout by the height that is left to the body. */
#include "app/timeline/overview.h"

#include "app/timeline/bar-view.h"
#include "app/timeline/flame-view.h"
#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define GAP         6
#define LOW_GAP     2
#define MARGIN      12  /* at both sides of the bars */
#define BODY_FLAME  340 /* pixels left to the body with the flame graph */
#define BODY_LEGEND 320 /* with the legend */

/* The parts shown besides the bars. */
typedef enum { LEVEL_BARS, LEVEL_LEGEND, LEVEL_FLAME } Level;

struct _LacTimeOverview {
  GtkWidget  parent_instance;
  GtkWidget *phases, *operations, *flame, *body;
  GtkWidget *caption, *expander; /* above the flame graph: one of them */
  Level      level;
  int        body_height; /* minimum of the whole body */
  gboolean   is_crowded;
  guint      pending;
};

G_DEFINE_FINAL_TYPE(LacTimeOverview, lac_time_overview, GTK_TYPE_WIDGET)

enum { PROP_BODY = 1, PROP_IS_CROWDED, N_PROPS };
static GParamSpec *props[N_PROPS];

/* ---- sizes ---- */

static int
measure(GtkWidget *widget, int width)
{
  int height = 0;
  if (widget != NULL && gtk_widget_get_visible(widget))
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  return height;
}

static gboolean
shows_flame(LacTimeOverview *self, Level level)
{
  return level == LEVEL_FLAME || gtk_expander_get_expanded(GTK_EXPANDER(self->expander));
}

/* Returns the space between the parts: less where there is the least. */
static int
find_gap(Level level)
{
  return level == LEVEL_BARS ? LOW_GAP : GAP;
}

static int
measure_bar(GtkWidget *bar, Level level, int width)
{
  return lac_bar_view_measure(LAC_BAR_VIEW(bar), width, level >= LEVEL_LEGEND);
}

static int
measure_heading(LacTimeOverview *self, Level level, int width)
{
  return measure(level == LEVEL_FLAME ? self->caption : self->expander, width);
}

/* Returns the height of everything above the body. */
static int
measure_head(LacTimeOverview *self, Level level, int width, gboolean has_flame)
{
  if (self->phases == NULL)
    return 0;
  int height = measure_bar(self->phases, level, width) +
               measure_bar(self->operations, level, width) + measure_heading(self, level, width) +
               3 * find_gap(level);
  return has_flame ? height + measure(self->flame, width) + find_gap(level) : height;
}

static void
lac_time_overview_measure(GtkWidget     *widget,
                          GtkOrientation orientation,
                          int            for_size,
                          int           *least,
                          int           *natural,
                          int           *least_baseline,
                          int           *natural_baseline)
{
  LacTimeOverview *self = LAC_TIME_OVERVIEW(widget);
  int              least_body = 0, natural_body = 0;
  if (self->body != NULL)
    gtk_widget_measure(self->body, orientation, for_size, &least_body, &natural_body, NULL, NULL);
  *least = least_body;
  *natural = natural_body;
  if (orientation == GTK_ORIENTATION_VERTICAL) {
    const int width = MAX(for_size - 2 * MARGIN, 0);
    *least = least_body + measure_head(self, LEVEL_BARS, width, FALSE);
    *natural = MAX(natural_body, BODY_FLAME) + measure_head(self, LEVEL_FLAME, width, TRUE);
  }
}

static GtkSizeRequestMode
lac_time_overview_get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* ---- layout ---- */

static gboolean
on_crowded(gpointer user_data)
{
  LacTimeOverview *self = user_data;
  self->pending = 0;
  g_object_notify_by_pspec(G_OBJECT(self), props[PROP_IS_CROWDED]);
  return G_SOURCE_REMOVE;
}

/* Deferred: nothing is shown or hidden during an allocation. */
static void
set_crowded(LacTimeOverview *self, gboolean is_crowded)
{
  if (self->is_crowded == is_crowded)
    return;
  self->is_crowded = is_crowded;
  if (self->pending == 0)
    self->pending = g_idle_add(on_crowded, self);
}

static void
set_level(LacTimeOverview *self, Level level)
{
  self->level = level;
  lac_bar_view_set_roomy(LAC_BAR_VIEW(self->phases), level >= LEVEL_LEGEND);
  lac_bar_view_set_roomy(LAC_BAR_VIEW(self->operations), level >= LEVEL_LEGEND);
  gtk_widget_set_child_visible(self->caption, level == LEVEL_FLAME);
  gtk_widget_set_child_visible(self->expander, level != LEVEL_FLAME);
  gtk_widget_set_child_visible(self->flame, shows_flame(self, level));
}

static Level
find_level(LacTimeOverview *self, int width, int height)
{
  if (height - measure_head(self, LEVEL_FLAME, width, TRUE) >= BODY_FLAME)
    return LEVEL_FLAME;
  return height - measure_head(self, LEVEL_LEGEND, width, FALSE) >= BODY_LEGEND ? LEVEL_LEGEND
                                                                                : LEVEL_BARS;
}

/* Places @child below @y. Returns: its lower end. */
static int
place(GtkWidget *child, int x, int y, int width, int height)
{
  gtk_widget_size_allocate(child, &(GtkAllocation){x, y, width, height}, -1);
  return y + height;
}

static void
lac_time_overview_size_allocate(GtkWidget *widget, int whole_width, int height, int baseline)
{
  LacTimeOverview *self = LAC_TIME_OVERVIEW(widget);
  const int        width = MAX(whole_width - 2 * MARGIN, 0);
  int              y = 0;
  if (self->phases != NULL) {
    set_level(self, find_level(self, width, height));
    GtkWidget *heading = self->level == LEVEL_FLAME ? self->caption : self->expander;
    const int  gap = find_gap(self->level);
    y = place(self->phases, MARGIN, y, width, measure_bar(self->phases, self->level, width)) + gap;
    y =
      place(self->operations, MARGIN, y, width, measure_bar(self->operations, self->level, width)) +
      gap;
    y = place(heading, MARGIN, y, width, measure_heading(self, self->level, width)) + gap;
    if (shows_flame(self, self->level))
      y = place(self->flame, MARGIN, y, width, measure(self->flame, width)) + gap;
  }
  if (self->body == NULL)
    return;
  if (!self->is_crowded)
    self->body_height = measure(self->body, whole_width);
  set_crowded(self, height - y < self->body_height);
  place(self->body, 0, y, whole_width, MAX(height - y, measure(self->body, whole_width)));
}

/* ---- the object ---- */

static void
set_body(LacTimeOverview *self, GtkWidget *body)
{
  g_clear_pointer(&self->body, gtk_widget_unparent);
  self->body = body;
  if (body != NULL)
    gtk_widget_set_parent(body, GTK_WIDGET(self));
}

static void
lac_time_overview_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BODY)
    set_body(LAC_TIME_OVERVIEW(object), g_value_get_object(value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void
lac_time_overview_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LacTimeOverview *self = LAC_TIME_OVERVIEW(object);
  if (id == PROP_BODY)
    g_value_set_object(value, self->body);
  else
    g_value_set_boolean(value, self->is_crowded);
}

static void
lac_time_overview_dispose(GObject *object)
{
  LacTimeOverview *self = LAC_TIME_OVERVIEW(object);
  GtkWidget       *child;
  g_clear_handle_id(&self->pending, g_source_remove);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  self->phases = self->body = NULL;
  G_OBJECT_CLASS(lac_time_overview_parent_class)->dispose(object);
}

static void
lac_time_overview_class_init(LacTimeOverviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->set_property = lac_time_overview_set_property;
  G_OBJECT_CLASS(class)->get_property = lac_time_overview_get_property;
  G_OBJECT_CLASS(class)->dispose = lac_time_overview_dispose;
  widget_class->measure = lac_time_overview_measure;
  widget_class->size_allocate = lac_time_overview_size_allocate;
  widget_class->get_request_mode = lac_time_overview_get_request_mode;
  props[PROP_BODY] = g_param_spec_object("body", NULL, NULL, GTK_TYPE_WIDGET,
                                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_IS_CROWDED] = g_param_spec_boolean("is-crowded", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(G_OBJECT_CLASS(class), N_PROPS, props);
}

static GtkWidget *
make_label(const char *words, const char *class)
{
  GtkWidget *label = gtk_label_new(words);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, class);
  return label;
}

static GtkWidget *
make_caption(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = make_label(_("Flame graph"), "caption-heading");
  GtkWidget *words =
    make_label(_("same clock as the first bar; a click limits everything below to it"), "caption");
  gtk_widget_add_css_class(words, "dim-label");
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), words);
  return box;
}

static void
lac_time_overview_init(LacTimeOverview *self)
{
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
}

void
lac_time_overview_set_times(LacTimeOverview *self, LacTimelineTimes *times)
{
  g_return_if_fail(LAC_IS_TIME_OVERVIEW(self) && self->phases == NULL);
  self->phases = lac_bar_view_new(LAC_BAR_PHASES, times);
  self->operations = lac_bar_view_new(LAC_BAR_OPERATIONS, times);
  self->flame = lac_flame_view_new(times);
  self->caption = make_caption();
  self->expander = gtk_expander_new(NULL);
  gtk_expander_set_label_widget(GTK_EXPANDER(self->expander),
                                make_label(_("Flame graph"), "caption-heading"));
  lac_accessible_name(self->expander, _("Flame graph"));
  g_signal_connect_object(self->expander, "notify::expanded", G_CALLBACK(gtk_widget_queue_resize),
                          self, G_CONNECT_SWAPPED);
  GtkWidget *const children[] = {self->phases, self->operations, self->caption, self->expander,
                                 self->flame};
  for (gsize i = 0; i < G_N_ELEMENTS(children); i++)
    gtk_widget_insert_before(children[i], GTK_WIDGET(self), self->body); /* order of Tab */
}
