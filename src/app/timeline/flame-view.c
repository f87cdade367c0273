/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flame graph, drawn by report/timeline/flame-graph.h. */
#include "app/timeline/flame-view.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/timeline/flame-graph.h"

#include <glib/gi18n-lib.h>

struct _LacFlameView {
  LacPartsView parent_instance;
};

G_DEFINE_FINAL_TYPE(LacFlameView, lac_flame_view, LAC_TYPE_PARTS_VIEW)

static LacTimelineScope *
get_scope(LacPartsView *view)
{
  return lac_timeline_times_get_scope(lac_parts_view_get_times(view));
}

static gssize
lac_flame_view_find_chosen(LacPartsView *view, const LacTimes *times)
{
  const gssize  limit = lac_timeline_times_find_limit(lac_parts_view_get_times(view));
  const guint32 name = lac_timeline_scope_get_chosen(get_scope(view));
  if (limit >= 0)
    return limit;
  for (gsize i = 0; i < times->flame.n && name != LAC_NO_NAME; i++)
    if (times->flame.bars[i].name == name)
      return (gssize) i;
  return -1;
}

static double
lac_flame_view_paint(LacPartsView   *view,
                     const LacTimes *times,
                     LacDrawing     *drawing,
                     double          width,
                     GArray         *hits)
{
  const LacSpanLooks *looks = lac_timeline_scope_get_looks(get_scope(view));
  const gssize        chosen = lac_flame_view_find_chosen(view, times);
  LacFlamePlace       place = {
          .width = width,
          .row = LAC_FLAME_ROW,
          .font_size = LAC_DRAWING_FONT,
          .most_rows = LAC_FLAME_VIEW_MOST,
          .is_selecting = chosen >= 0,
          .selected = chosen >= 0 ? times->flame.bars[chosen].name : LAC_NO_NAME,
  };
  return looks != NULL
           ? lac_flame_graph_draw(&times->flame, looks, &place, lac_style_palette(), drawing, hits)
           : LAC_FLAME_ROW;
}

static char *
lac_flame_view_describe(LacPartsView *view, const LacTimes *times, gsize part)
{
  return lac_flame_dup_text(&times->flame, lac_timeline_scope_get_looks(get_scope(view)), part);
}

/* A second click on the same bar lets go of it. */
static void
lac_flame_view_choose(LacPartsView *view, const LacHit *hit)
{
  LacTimelineTimes *times = lac_parts_view_get_times(view);
  if (lac_timeline_times_find_limit(times) == (gssize) hit->part)
    lac_timeline_scope_choose(get_scope(view), LAC_NO_NAME);
  else
    lac_timeline_times_limit(times, hit->part);
}

static void
lac_flame_view_class_init(LacFlameViewClass *class)
{
  LacPartsViewClass *parts_class = LAC_PARTS_VIEW_CLASS(class);
  parts_class->paint = lac_flame_view_paint;
  parts_class->describe = lac_flame_view_describe;
  parts_class->choose = lac_flame_view_choose;
  parts_class->find_chosen = lac_flame_view_find_chosen;
}

static void
lac_flame_view_init(LacFlameView *self)
{
  lac_accessible_name(self, _("Flame graph; the table of operations contains the same data"));
}

GtkWidget *
lac_flame_view_new(LacTimelineTimes *times)
{
  LacFlameView *self = g_object_new(LAC_TYPE_FLAME_VIEW, NULL);
  lac_parts_view_set_times(LAC_PARTS_VIEW(self), times);
  return GTK_WIDGET(self);
}
