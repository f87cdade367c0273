/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure editor and the report page, also reopened from the specifications saved beside the output. */
#include "app/field/view-figure.h"
#include "app/output/figure-window.h"
#include "app/script/part-states.h"
#include "app/shell/features.h"

/* ---- open editors ---- */

enum { FIGURE = 1 << 0, REPORT = 1 << 1 };

struct _LacComposed {
  LacWindow       *window;
  LacWorkbench    *workbench;
  LacLivePage     *live;
  LacTimelinePage *timeline;
  LacComparePage  *compare;
  LacFigureWindow *figure; /* (nullable), weak: the one opened last */
  LacReportPage   *report;
  LacPartStates   *states;
};

static void
on_figure(LacComposed *self)
{
  lac_part_states_look(self->states, FIGURE, TRUE);
}

static void
on_report(LacComposed *self)
{
  lac_part_states_look(self->states, REPORT, TRUE);
}

static void
forget_figure(LacComposed *self)
{
  if (self->figure != NULL)
    g_signal_handlers_disconnect_by_data(self->figure, self);
  g_clear_weak_pointer(&self->figure);
}

static void
on_figure_gone(LacComposed *self)
{
  forget_figure(self);
  on_figure(self);
}

static void
present_figure(LacComposed *self, const char *const *folders, const LacFigureSpec *spec)
{
  LacFigureWindow *window = lac_figure_window_present(
    GTK_WINDOW(self->window), lac_workbench_get_run_store(self->workbench), folders, spec);
  forget_figure(self);
  g_set_weak_pointer(&self->figure, window);
  g_signal_connect_swapped(window, "changed", G_CALLBACK(on_figure), self);
  g_signal_connect_swapped(window, "unmap", G_CALLBACK(on_figure_gone), self);
  on_figure(self);
}

/* @plan: (transfer full) */
static void
present_report(LacComposed *self, LacReportPlan *plan)
{
  lac_report_page_show(self->report, plan);
  lac_window_show_page(self->window, "report");
}

static GStrv
dup_folders(const LacFigureSpec *spec)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
  g_strv_builder_add(builder, spec->run);
  g_strv_builder_addv(builder, (const char **) spec->others);
  return g_strv_builder_end(builder);
}

/* ---- their composition, as states ---- */

static GVariant *
describe_figure(gpointer composed)
{
  LacComposed *self = composed;
  return self->figure != NULL ? g_variant_new_take_string(lac_figure_window_dup_order(self->figure))
                              : g_variant_new_string("");
}

static void
apply_figure(gpointer composed, GVariant *state)
{
  LacComposed          *self = composed;
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  const char           *text = g_variant_get_string(state, NULL);
  if (*text == '\0') {
    if (self->figure != NULL)
      gtk_window_close(GTK_WINDOW(self->figure));
    return;
  }
  if (!lac_figure_spec_parse(text, &spec, &error)) {
    lac_workbench_show_message(self->workbench, error->message);
    return;
  }
  g_auto(GStrv) folders = dup_folders(&spec);
  if (self->figure != NULL)
    lac_figure_window_show(self->figure, (const char *const *) folders, &spec);
  else
    present_figure(self, (const char *const *) folders, &spec);
}

static GVariant *
describe_report(gpointer composed)
{
  const LacReportPlan *plan = lac_report_page_get_plan(((LacComposed *) composed)->report);
  return plan != NULL ? g_variant_new_take_string(lac_report_plan_dup_text(plan))
                      : g_variant_new_string("");
}

static void
apply_report(gpointer composed, GVariant *state)
{
  LacComposed      *self = composed;
  g_autoptr(GError) error = NULL;
  const char       *text = g_variant_get_string(state, NULL);
  LacReportPlan    *plan = *text != '\0' ? lac_report_plan_parse(text, &error) : NULL;
  if (error != NULL)
    lac_workbench_show_message(self->workbench, error->message);
  if (plan != NULL)
    lac_report_page_show(self->report, plan);
}

static const LacPartState states[] = {
  {"figure", FIGURE, describe_figure, apply_figure},
  {"report", REPORT, describe_report, apply_report},
};

static void
on_changed(const char *action, GVariant *state, gpointer window)
{
  lac_window_note_state(window, action, state);
}

static GStrv
dup_reported(LacComposed *self)
{
  LacSession             *session = lac_workbench_get_session(self->workbench);
  g_auto(GStrv)           compared = lac_compare_page_dup_paths(self->compare);
  g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
  if (lac_window_shows_comparison(self->window) && compared[0] != NULL)
    return g_steal_pointer(&compared);
  if (session != NULL)
    g_strv_builder_add(folders, lac_session_get_folder(session));
  return g_strv_builder_end(folders);
}

static void
on_figure_save(GSimpleAction *action, GVariant *parameter, gpointer composed)
{
  LacComposed *self = composed;
  if (self->figure != NULL)
    lac_figure_window_save(self->figure, g_variant_get_string(parameter, NULL));
}

static void
on_report_save(GSimpleAction *action, GVariant *parameter, gpointer composed)
{
  LacComposed *self = composed;
  lac_report_page_save(self->report, g_variant_get_string(parameter, NULL));
}

/* Asks for the file. */
static void
on_report_ask(GSimpleAction *action, GVariant *parameter, gpointer composed)
{
  lac_report_page_ask(((LacComposed *) composed)->report);
}

static void
on_report_saved(LacComposed *self, const char *path, const char *problem)
{
  if (problem != NULL)
    lac_window_show_message(self->window, problem);
  else
    lac_window_show_saved(self->window, path);
}

/* The report is of the run on display, or of those compared. */
static void
on_page(LacComposed *self)
{
  if (g_strcmp0(lac_window_get_page(self->window), "report") != 0)
    return;
  g_auto(GStrv) folders = dup_reported(self);
  lac_report_page_set_runs(self->report, (const char *const *) folders);
}

static const LacActionRow rows[] = {
  {{"figure-save-to", on_figure_save, "s"}},
  {{"report-save-to", on_report_save, "s"}},
  {{"report-save", on_report_ask}, LAC_NEEDS_RESULT},
};

static void
composed_free(gpointer composed)
{
  LacComposed *self = composed;
  forget_figure(self);
  g_signal_handlers_disconnect_by_data(self->report, self);
  g_signal_handlers_disconnect_by_data(self->window, self);
  lac_part_states_free(self->states);
  g_free(self);
}

LacComposed *
lac_window_add_composed(LacWindow       *window,
                        LacWorkbench    *workbench,
                        LacLivePage     *live,
                        LacTimelinePage *timeline,
                        LacComparePage  *compare,
                        LacReportPage   *report)
{
  static const LacPartTable table = {states, G_N_ELEMENTS(states)};
  LacComposed              *self = g_new(LacComposed, 1);
  *self = (LacComposed){window, workbench, live, timeline, compare, NULL, report, NULL};
  lac_window_keep(window, self, composed_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  self->states = lac_part_states_new(G_ACTION_MAP(window), "", self, &table, on_changed, window);
  lac_report_page_set_store(report, lac_workbench_get_run_store(workbench));
  g_signal_connect_swapped(report, "changed", G_CALLBACK(on_report), self);
  g_signal_connect_swapped(report, "saved", G_CALLBACK(on_report_saved), self);
  g_signal_connect_swapped(window, "page-changed", G_CALLBACK(on_page), self);
  return self;
}

/* ---- opening an editor ---- */

LacFigureSpec
lac_live_page_describe_view(LacLivePage *live, LacSession *session)
{
  LacFrame            *frame = lac_session_get_frame(session);
  const LacVolumeView *volume_view = NULL;
  LacFigureSpec        figure = {
           .channel = g_strdup(lac_live_page_get_volume(live, &volume_view)),
           .step = lac_session_is_file(session) && frame != NULL ? frame->step : -1,
           .has_view = volume_view != NULL,
  };
  if (volume_view != NULL)
    figure.volume_view = *volume_view;
  else
    lac_view_figure_describe(lac_field_view_get_scene(lac_live_page_get_field(live)), &figure);
  return figure;
}

/* Sets the visible time. */
static void
describe_timeline(LacComposed *self, LacFigureSpec *figure)
{
  LacTimelineScope *scope = lac_timeline_page_get_scope(self->timeline);
  gint64            first, last, begin, end;
  figure->kind = LAC_FIGURE_TIMELINE;
  if (lac_timeline_scope_is_empty(scope))
    return;
  lac_timeline_get_extent(lac_recording_get_timeline(lac_timeline_scope_get_recording(scope)),
                          &first, &last);
  lac_timeline_scope_get_view(scope, &begin, &end);
  figure->between =
    (LacFigureRange){begin < end, (double) (begin - first) * 1e-9, (double) (end - first) * 1e-9};
}

/* Describes the page's field, frame and link; its runs up to the figure's maximum. */
static void
make_comparison(LacComposed *self, GStrv compared)
{
  LacCompareFields     *fields = lac_compare_page_get_fields(self->compare);
  const LacFieldScene  *scene = lac_field_view_get_scene(lac_compare_fields_get_view(fields));
  g_auto(LacFigureSpec) figure = {
    .kind = LAC_FIGURE_COMPARISON,
    .step = scene->frame != NULL ? scene->frame->step : -1,
    .against_seconds = lac_compare_fields_get_link(fields) == LAC_LINK_TIME,
  };
  const char *folders[LAC_FIGURE_MOST_RUNS + 1] = {NULL};
  for (gsize r = 0; r < LAC_FIGURE_MOST_RUNS && compared[r] != NULL; r++)
    folders[r] = compared[r];
  lac_view_figure_describe(scene, &figure);
  present_figure(self, folders, &figure);
}

/* The page shown determines the kind of figure. */
void
lac_composed_make_figure(LacComposed *self)
{
  const char   *page = lac_window_get_page(self->window);
  LacSession   *session = lac_workbench_get_session(self->workbench);
  g_auto(GStrv) compared = lac_compare_page_dup_paths(self->compare);
  if (lac_window_shows_comparison(self->window) && compared[0] != NULL && compared[1] != NULL) {
    make_comparison(self, compared);
    return;
  }
  if (session == NULL)
    return;
  const char           *folders[] = {lac_session_get_folder(session), NULL};
  g_auto(LacFigureSpec) figure = lac_live_page_describe_view(self->live, session);
  if (g_strcmp0(page, "timeline") == 0)
    describe_timeline(self, &figure);
  present_figure(self, folders, &figure);
}

void
lac_composed_edit_report(LacComposed *self)
{
  lac_window_show_page(self->window, "report");
}

gboolean
lac_composed_open(LacComposed *self, const char *path)
{
  g_auto(LacFigureSpec) spec = {0};
  g_autoptr(GError)     error = NULL;
  LacReportPlan        *plan;
  if (!g_str_has_suffix(path, ".json"))
    return FALSE;
  if (lac_figure_spec_load(path, &spec, NULL)) {
    g_auto(GStrv) folders = dup_folders(&spec);
    present_figure(self, (const char *const *) folders, &spec);
    return TRUE;
  }
  if (!lac_is_report_plan(path))
    return FALSE;
  plan = lac_report_plan_load(path, &error);
  if (plan != NULL)
    present_report(self, plan);
  else
    lac_workbench_show_message(self->workbench, error->message);
  return TRUE;
}
