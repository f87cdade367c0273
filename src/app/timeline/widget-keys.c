/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the timeline. */
#include "app/timeline/widget-private.h"

/* Chooses the operation of the selected bar; once it is chosen, leads to the fields of its step. */
static void
activate(LacTimelineWidget *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  if (bar != NULL && bar->name != lac_timeline_scope_get_chosen(self->scope))
    lac_timeline_scope_choose(self->scope, bar->name);
  else
    g_signal_emit_by_name(self, "activated");
}

/* Sets the range by keys: to the selected bar, or to the visible time. */
static void
choose_range(LacTimelineWidget *self)
{
  const LacTimelineBar *bar = lac_timeline_scope_get_selected(self->scope);
  gint64                begin, end;
  lac_timeline_scope_get_view(self->scope, &begin, &end);
  if (bar != NULL)
    lac_timeline_scope_set_range(self->scope, bar->begin_ns, bar->end_ns);
  else
    lac_timeline_scope_set_range(self->scope, begin, end);
}

static void
mark(LacTimelineWidget *self, gboolean in_words)
{
  gssize i = in_words ? lac_timeline_scope_put_mark(self->scope) : -1;
  if (!in_words)
    lac_timeline_scope_toggle_mark(self->scope);
  else if (i >= 0)
    g_signal_emit_by_name(self, "marked", (guint) i);
}

static gboolean
navigate(LacTimelineWidget *self, guint key)
{
  LacTimelineScope *scope = self->scope;
  double            offset = lac_timeline_scope_get_offset(scope);
  switch (key) {
  case GDK_KEY_w:
  case GDK_KEY_plus:
  case GDK_KEY_equal: lac_timeline_scope_zoom(scope, 0.5, 1.5); break;
  case GDK_KEY_s:
  case GDK_KEY_minus: lac_timeline_scope_zoom(scope, 0.5, 1 / 1.5); break;
  case GDK_KEY_a:
  case GDK_KEY_Left: lac_timeline_scope_move(scope, -0.15); break;
  case GDK_KEY_d:
  case GDK_KEY_Right: lac_timeline_scope_move(scope, 0.15); break;
  case GDK_KEY_Up:
    lac_timeline_scope_scroll(scope, offset - LAC_TIMELINE_ROW_SCROLL,
                              gtk_widget_get_height(self->lanes));
    break;
  case GDK_KEY_Down:
    lac_timeline_scope_scroll(scope, offset + LAC_TIMELINE_ROW_SCROLL,
                              gtk_widget_get_height(self->lanes));
    break;
  case GDK_KEY_Page_Up: lac_timeline_widget_scroll_tracks(self, -1); break;
  case GDK_KEY_Page_Down: lac_timeline_widget_scroll_tracks(self, 1); break;
  case GDK_KEY_0:
  case GDK_KEY_KP_0: lac_timeline_scope_fit(scope); break;
  case GDK_KEY_f: lac_timeline_scope_fit_selection(scope); break;
  default: return FALSE;
  }
  return TRUE;
}

gboolean
lac_timeline_widget_key(GtkEventControllerKey *keys,
                        guint                  key,
                        guint                  code,
                        GdkModifierType        state,
                        LacTimelineWidget     *self)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || lac_timeline_scope_is_empty(self->scope))
    return GDK_EVENT_PROPAGATE;
  key = gdk_keyval_to_lower(key);
  switch (key) {
  case GDK_KEY_comma: lac_timeline_scope_select_next(self->scope, -1); break;
  case GDK_KEY_period: lac_timeline_scope_select_next(self->scope, 1); break;
  case GDK_KEY_n: lac_timeline_scope_select_outlier(self->scope, 1); break;
  case GDK_KEY_p: lac_timeline_scope_select_outlier(self->scope, -1); break;
  case GDK_KEY_m: mark(self, (state & GDK_SHIFT_MASK) != 0); break;
  case GDK_KEY_r: choose_range(self); break;
  case GDK_KEY_Escape: return lac_timeline_scope_clear(self->scope);
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter: activate(self); break;
  default: return navigate(self, key) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
  }
  return GDK_EVENT_STOP;
}
