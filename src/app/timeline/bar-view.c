/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars of the time, drawn by report/timeline/stacked-bar.h. */
#include "app/timeline/bar-view.h"

#include "app/session/session.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/style.h"
#include "report/canvas/canvas.h"
#include "report/summary/kinds.h"
#include "report/timeline/stacked-bar.h"

#include <glib/gi18n-lib.h>

#define LOW_HEIGHT 24.0 /* of a bar without room */

struct _LacBarView {
  LacPartsView parent_instance;
  LacBarKind   kind;
  gboolean     is_roomy;
};

G_DEFINE_FINAL_TYPE(LacBarView, lac_bar_view, LAC_TYPE_PARTS_VIEW)

static const LacTimeParts *
get_parts(LacBarView *self, const LacTimes *times)
{
  return self->kind == LAC_BAR_PHASES ? &times->phases : &times->operations;
}

static LacTimelineScope *
get_scope(LacPartsView *view)
{
  return lac_timeline_times_get_scope(lac_parts_view_get_times(view));
}

/* Returns the name that stands out: the phase of the chosen one, or itself. */
static guint32
find_name(LacBarView *self)
{
  LacPartsView *view = LAC_PARTS_VIEW(self);
  return self->kind == LAC_BAR_PHASES
           ? lac_timeline_times_find_phase(lac_parts_view_get_times(view))
           : lac_timeline_scope_get_chosen(get_scope(view));
}

static gssize
lac_bar_view_find_chosen(LacPartsView *view, const LacTimes *times)
{
  const LacTimeParts *parts = get_parts(LAC_BAR_VIEW(view), times);
  const guint32       name = find_name(LAC_BAR_VIEW(view));
  for (gsize i = 0; i < parts->n && name != LAC_NO_NAME; i++)
    if (parts->parts[i].name == name)
      return (gssize) i;
  return -1;
}

/* Returns the number of threads of the run; 0: unknown. */
static guint
count_threads(LacPartsView *view)
{
  LacSession *session =
    lac_recording_get_session(lac_timeline_scope_get_recording(get_scope(view)));
  if (session == NULL)
    return 0;
  LacRunFile *file = lac_session_get_file(session);
  return lac_session_get_run(session) != NULL ? lac_run_get_threads(lac_session_get_run(session))
         : file != NULL                       ? file->threads
                                              : 0;
}

/* Returns: (transfer full): what 100 % is, and, as far as @room goes, its kinds of work: "forward 60 %, backward 20 %,
 * data 5 %, other 15 % · 100 % = 2 min 8 s on 1 thread". */
static char *
dup_whole(LacBarView *self, const LacTimes *times, double room)
{
  const guint      n = self->kind == LAC_BAR_OPERATIONS ? count_threads(LAC_PARTS_VIEW(self)) : 0;
  g_autofree char *kinds =
    self->kind == LAC_BAR_OPERATIONS ? lac_kinds_dup_text(&times->kinds) : NULL;
  g_autofree char *time = lac_stacked_bar_dup_whole(get_parts(self, times));
  g_autofree char *whole =
    n > 0 ? g_strdup_printf(ngettext("%s on %u thread", "%s on %u threads", n), time, n)
          : g_steal_pointer(&time);
  g_autofree char *both = kinds != NULL ? g_strdup_printf("%s · %s", kinds, whole) : NULL;
  return both != NULL && lac_text_width(both, LAC_DRAWING_FONT, FALSE) < room
           ? g_steal_pointer(&both)
           : g_steal_pointer(&whole);
}

int
lac_bar_view_measure(LacBarView *self, int width, gboolean is_roomy)
{
  g_return_val_if_fail(LAC_IS_BAR_VIEW(self), 0);
  const gboolean before = self->is_roomy;
  self->is_roomy = is_roomy;
  const int height = lac_parts_view_find_height(LAC_PARTS_VIEW(self), width);
  self->is_roomy = before;
  return height;
}

static double
lac_bar_view_paint(LacPartsView   *view,
                   const LacTimes *times,
                   LacDrawing     *drawing,
                   double          width,
                   GArray         *hits)
{
  LacBarView         *self = LAC_BAR_VIEW(view);
  const LacSpanLooks *looks = lac_timeline_scope_get_looks(get_scope(view));
  const LacTimeParts *parts = get_parts(self, times);
  const gssize        chosen = lac_bar_view_find_chosen(view, times);
  const char         *title = self->kind == LAC_BAR_PHASES ? _("Phases, by the clock")
                                                           : _("Operations, own time summed over threads");
  const double     room = width - lac_text_width(title, LAC_DRAWING_FONT, TRUE) - LAC_DRAWING_FONT;
  g_autofree char *whole = parts->n > 0 ? dup_whole(self, times, room) : NULL;
  LacStackedBarPlace place = {
    .width = width,
    .height = self->is_roomy ? LAC_STACKED_BAR_HEIGHT : LOW_HEIGHT,
    .font_size = LAC_DRAWING_FONT,
    .title = title,
    .whole = whole,
    .has_legend = self->is_roomy && self->kind == LAC_BAR_PHASES,
    .is_selecting = chosen >= 0,
    .selected = chosen >= 0 ? parts->parts[chosen].name : LAC_NO_NAME,
  };
  return looks != NULL
           ? lac_stacked_bar_draw(parts, looks, &place, lac_style_palette(), drawing, hits)
           : LAC_STACKED_BAR_HEIGHT;
}

static char *
lac_bar_view_describe(LacPartsView *view, const LacTimes *times, gsize part)
{
  return lac_stacked_bar_dup_text(get_parts(LAC_BAR_VIEW(view), times),
                                  lac_timeline_scope_get_looks(get_scope(view)), part);
}

static void
lac_bar_view_choose(LacPartsView *view, const LacHit *hit)
{
  lac_timeline_scope_choose(get_scope(view), hit->name);
}

static void
lac_bar_view_class_init(LacBarViewClass *class)
{
  LacPartsViewClass *parts_class = LAC_PARTS_VIEW_CLASS(class);
  parts_class->paint = lac_bar_view_paint;
  parts_class->describe = lac_bar_view_describe;
  parts_class->choose = lac_bar_view_choose;
  parts_class->find_chosen = lac_bar_view_find_chosen;
}

static void
lac_bar_view_init(LacBarView *self)
{
}

GtkWidget *
lac_bar_view_new(LacBarKind kind, LacTimelineTimes *times)
{
  LacBarView *self = g_object_new(LAC_TYPE_BAR_VIEW, NULL);
  self->kind = kind;
  lac_accessible_name(self, kind == LAC_BAR_PHASES ? _("Phases, by the clock")
                                                   : _("Operations, own time summed over threads"));
  lac_parts_view_set_times(LAC_PARTS_VIEW(self), times);
  return GTK_WIDGET(self);
}

void
lac_bar_view_set_roomy(LacBarView *self, gboolean is_roomy)
{
  g_return_if_fail(LAC_IS_BAR_VIEW(self));
  if (self->is_roomy == is_roomy)
    return;
  self->is_roomy = is_roomy;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}
