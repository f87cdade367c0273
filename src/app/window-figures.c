/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures and reports that are composed in windows of their own, and opened again from what is kept beside them. */
#include "app/figure-window.h"
#include "app/report-window.h"
#include "app/window-private.h"

LacFigureSpec
lac_window_describe_view(LacWindow *self)
{
  LacFrame         *frame = lac_session_get_frame(self->session);
  const LacVantage *vantage = NULL;
  LacFigureSpec     figure = {
        .channel = (char *) lac_live_page_get_volume(self->live, &vantage),
        .step = lac_session_is_file(self->session) && frame != NULL ? frame->step : -1,
        .has_vantage = vantage != NULL,
  };
  if (vantage != NULL)
    figure.vantage = *vantage;
  return figure;
}

/* The page that is open says what the figure is of. */
void
lac_window_make_figure(LacWindow *self)
{
  const char   *page = adw_view_stack_get_visible_child_name(self->stack);
  g_auto(GStrv) compared = lac_compare_page_dup_paths(self->compare);
  LacFigureSpec figure = {.step = -1, .kind = LAC_FIGURE_COMPARISON};
  if (g_strcmp0(page, "compare") == 0 && compared[0] != NULL && compared[1] != NULL) {
    lac_figure_window_present(GTK_WINDOW(self), self->run_store, (const char *const *) compared,
                              &figure);
    return;
  }
  if (self->session == NULL)
    return;
  const char *folders[] = {lac_session_get_folder(self->session), NULL};
  figure = lac_window_describe_view(self);
  if (g_strcmp0(page, "timeline") == 0)
    figure.kind = LAC_FIGURE_TIMELINE;
  lac_figure_window_present(GTK_WINDOW(self), self->run_store, folders, &figure);
}

static GStrv
dup_reported(LacWindow *self)
{
  const char             *page = adw_view_stack_get_visible_child_name(self->stack);
  g_auto(GStrv)           compared = lac_compare_page_dup_paths(self->compare);
  g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
  if (g_strcmp0(page, "compare") == 0 && compared[0] != NULL)
    return g_steal_pointer(&compared);
  if (self->session != NULL)
    g_strv_builder_add(folders, lac_session_get_folder(self->session));
  return g_strv_builder_end(folders);
}

void
lac_window_edit_report(LacWindow *self)
{
  g_auto(GStrv) folders = dup_reported(self);
  if (folders[0] != NULL)
    lac_report_window_present(GTK_WINDOW(self), self->run_store,
                              lac_report_plan_new((const char *const *) folders));
}

static void
open_figure(LacWindow *self, LacFigureSpec *spec)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_strv_builder_add(builder, spec->run);
  g_strv_builder_addv(builder, (const char **) spec->others);
  g_auto(GStrv) folders = g_strv_builder_end(builder);
  lac_figure_window_present(GTK_WINDOW(self), self->run_store, (const char *const *) folders, spec);
}

gboolean
lac_window_open_composed(LacWindow *self, const char *path)
{
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  LacReportPlan        *plan;
  if (!g_str_has_suffix(path, ".json"))
    return FALSE;
  if (lac_figure_spec_load(path, &spec, NULL)) {
    open_figure(self, &spec);
    return TRUE;
  }
  if (!lac_is_report_plan(path))
    return FALSE;
  plan = lac_report_plan_load(path, &error);
  if (plan != NULL)
    lac_report_window_present(GTK_WINDOW(self), self->run_store, plan);
  else
    lac_window_say(self, error->message);
  return TRUE;
}
