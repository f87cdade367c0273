/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place that the window shows, the tabs of that place, and the runs chosen in it. */
#include "app/session/run-group-item.h"
#include "app/session/words.h"
#include "app/shell/window-private.h"
#include "report/compare/comparison.h"
#include "run/machine/machine.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* The pages in the order of their tabs. The first place of a page is the one it opens in. */
enum {
  EXPERIMENTS,
  BENCHMARKS,
  SETUP,
  LIVE,
  TIMELINE,
  DIFFERENCES,
  COMPARE,
  COMPARED_TIME,
  REPORT,
  RUNS,
  N_PAGES
};
static const LacShellPage pages[N_PAGES] = {
  [EXPERIMENTS] = {"experiments", N_("Experiments"), "view-grid-symbolic",
                   LAC_PLACE_BIT(EXPERIMENTS)},
  [BENCHMARKS] = {"benchmarks", N_("Benchmarks"), "lac-gauge-symbolic", LAC_PLACE_BIT(BENCHMARKS)},
  [SETUP] = {"setup", N_("Set-up"), "preferences-other-symbolic",
             LAC_PLACE_BIT(DRAFT) | LAC_PLACE_BIT(RUN)},
  [LIVE] = {"live", N_("Fields"), "lac-field-symbolic", LAC_PLACE_BIT(DRAFT) | LAC_PLACE_BIT(RUN)},
  [TIMELINE] = {"timeline", N_("Time"), "lac-timeline-symbolic",
                LAC_PLACE_BIT(DRAFT) | LAC_PLACE_BIT(RUN) | LAC_PLACE_BIT(TRACE)},
  [DIFFERENCES] = {"differences", N_("Set-up"), "preferences-other-symbolic",
                   LAC_PLACE_BIT(COMPARISON)},
  [COMPARE] = {"compare", N_("Fields"), "lac-field-symbolic", LAC_PLACE_BIT(COMPARISON)},
  [COMPARED_TIME] = {"compare-time", N_("Time"), "lac-timeline-symbolic",
                     LAC_PLACE_BIT(COMPARISON)},
  [REPORT] = {"report", N_("Report"), "x-office-document-symbolic",
              LAC_PLACE_BIT(DRAFT) | LAC_PLACE_BIT(RUN) | LAC_PLACE_BIT(COMPARISON)},
  [RUNS] = {"runs", N_("Runs"), "document-open-recent-symbolic", LAC_PLACE_BIT(FOLDER)},
};

/* ---- the header ---- */

/* Returns: (transfer full) (nullable): the titles of the experiments of some runs, each once. */
static char *
dup_titles(LacWindow *self, const char *const *paths)
{
  g_autoptr(GPtrArray) titles = g_ptr_array_new();
  for (gsize i = 0; paths[i] != NULL; i++) {
    LacRunItem *item = lac_run_store_find(lac_workbench_get_run_store(self->workbench), paths[i]);
    const char *title =
      item != NULL ? g_dgettext(GETTEXT_PACKAGE, lac_run_item_get(item)->title) : NULL;
    if (title != NULL && !g_ptr_array_find_with_equal_func(titles, title, g_str_equal, NULL))
      g_ptr_array_add(titles, (char *) title);
  }
  if (titles->len == 0)
    return NULL;
  g_ptr_array_add(titles, NULL);
  return g_strjoinv(", ", (char **) titles->pdata);
}

static void
title_run(LacWindow *self)
{
  LacSession *session = lac_workbench_get_session(self->workbench);
  if (session == NULL)
    return;
  LacRunItem      *item = lac_run_store_find(lac_workbench_get_run_store(self->workbench),
                                             lac_session_get_folder(session));
  g_autofree char *caption = item != NULL ? lac_run_item_dup_caption(lac_run_item_get(item))
                                          : lac_session_dup_words(session);
  lac_shell_set_title(self->shell, lac_session_get_title(session), caption);
}

static void
title_comparison(LacWindow *self)
{
  g_auto(GStrv)    paths = lac_compare_page_dup_paths(self->compare);
  guint            n = g_strv_length(paths);
  g_autofree char *title = g_strdup_printf(ngettext("%u run compared", "%u runs compared", n), n);
  g_autofree char *titles = dup_titles(self, (const char *const *) paths);
  lac_shell_set_title(self->shell, n > 0 ? title : _("Comparison"), titles);
}

static void
title_folder(LacWindow *self)
{
  g_autofree char *title = lac_folder_page_dup_title(self->runs);
  g_autofree char *caption = lac_folder_page_dup_caption(self->runs);
  lac_shell_set_title(self->shell, title, caption);
}

static void
title_benchmarks(LacWindow *self)
{
  g_autofree char *machine = lac_machine_dup_identity(NULL);
  lac_shell_set_title(self->shell, _("Benchmarks"), machine);
}

/* Called when the place or what it shows has changed. */
void
lac_window_show_title(LacWindow *self)
{
  if (self->workbench == NULL) /* the window is being destroyed */
    return;
  const LacExperiment *draft = lac_setup_page_get_experiment(self->setup);
  switch (lac_shell_get_place(self->shell)) {
  case LAC_PLACE_EXPERIMENTS: lac_shell_set_title(self->shell, _("Experiments"), NULL); break;
  case LAC_PLACE_BENCHMARKS: title_benchmarks(self); break;
  case LAC_PLACE_DRAFT:
    lac_shell_set_title(self->shell,
                        draft != NULL ? g_dgettext(GETTEXT_PACKAGE, draft->title) : _("Set-up"),
                        _("new run"));
    break;
  case LAC_PLACE_RUN: title_run(self); break;
  case LAC_PLACE_FOLDER: title_folder(self); break;
  case LAC_PLACE_COMPARISON: title_comparison(self); break;
  case LAC_PLACE_TRACE: lac_shell_set_title(self->shell, _("Trace"), NULL); break;
  case LAC_N_PLACES: break;
  }
}

/* A draft has nothing to show but its set-up. */
static gboolean
is_enabled(LacWindow *self, const char *page)
{
  return lac_shell_get_place(self->shell) != LAC_PLACE_DRAFT || g_str_equal(page, "setup");
}

/* Searches the runs of the sidebar. */
void
lac_window_find_run(LacWindow *self)
{
  adw_flap_set_reveal_flap(lac_shell_get_flap(self->shell), TRUE);
  lac_sidebar_find(lac_shell_get_sidebar(self->shell));
}

/* ---- the draft in the sidebar ---- */

/* A set-up that was neither opened nor changed is no draft. */
static void
show_draft(LacWindow *self)
{
  guint    n_changed = lac_setup_page_get_n_changed(self->setup);
  gboolean is_draft = n_changed > 0 || lac_shell_get_place(self->shell) == LAC_PLACE_DRAFT;
  lac_progress_list_set_draft(lac_sidebar_get_progress(lac_shell_get_sidebar(self->shell)),
                              is_draft ? lac_setup_page_get_experiment(self->setup) : NULL,
                              n_changed);
  if (lac_shell_get_place(self->shell) == LAC_PLACE_DRAFT)
    lac_window_show_title(self);
}

/* ---- the place ---- */

/* The set-up of a run is that run's settings, which the journal has while it computes, too. */
static void
show_settings(LacWindow *self, LacSession *session)
{
  g_autoptr(LacRunFile) run = NULL;
  if (lac_shell_get_place(self->shell) == LAC_PLACE_RUN && session != NULL)
    run = lac_session_get_file(session) != NULL
            ? lac_run_file_ref(lac_session_get_file(session))
            : lac_run_file_open_journal(lac_session_get_folder(session), NULL);
  lac_setup_page_set_run(self->setup, run);
}

/* Returns: (transfer full): the paths of the runs that are shown together: compared, or of one sweep; else none. */
static GStrv
dup_shown_together(LacWindow *self)
{
  const LacPlace place = lac_shell_get_place(self->shell);
  if (place == LAC_PLACE_COMPARISON)
    return lac_compare_page_dup_paths(self->compare);
  if (place == LAC_PLACE_FOLDER && lac_folder_page_get_sweep(self->runs) != NULL)
    return lac_folder_page_dup_paths(self->runs);
  return g_new0(char *, 1);
}

void
lac_window_mark_place(LacWindow *self)
{
  LacSession       *session = lac_workbench_get_session(self->workbench);
  const char       *opening = lac_workbench_get_opening(self->workbench); /* is on display soon */
  const char *const one[] = {
    opening != NULL || session == NULL ? opening : lac_session_get_folder(session), NULL};
  const LacPlace place = lac_shell_get_place(self->shell);
  const gboolean is_one =
    place != LAC_PLACE_FOLDER && (place != LAC_PLACE_COMPARISON || opening != NULL);
  g_auto(GStrv) together = dup_shown_together(self);
  lac_window_show_title(self);
  show_settings(self, session);
  lac_sidebar_show_place(lac_shell_get_sidebar(self->shell), place,
                         is_one ? one : (const char *const *) together);
}

void
lac_window_show_place(LacWindow *self, LacPlace place, const char *page)
{
  gboolean leaves_trace =
    lac_shell_get_place(self->shell) == LAC_PLACE_TRACE && place != LAC_PLACE_TRACE;
  if (!lac_shell_show(self->shell, place, page))
    return;
  if (leaves_trace)
    lac_timeline_page_close_trace(self->timeline, self->workbench);
  for (gsize i = 0; i < N_PAGES; i++)
    lac_shell_enable(self->shell, pages[i].name, is_enabled(self, pages[i].name));
  show_draft(self);
  lac_window_mark_place(self);
  lac_window_update_actions(self);
}

gboolean
lac_window_has_run(LacWindow *self)
{
  return lac_workbench_get_session(self->workbench) != NULL ||
         lac_workbench_get_opening(self->workbench) != NULL;
}

/* Returns the place in which @page is shown: the present one if it has that page. */
static LacPlace
find_place(LacWindow *self, const char *page)
{
  gboolean has_run = lac_window_has_run(self);
  guint    places = lac_shell_get_places(self->shell, page);
  if ((places >> lac_shell_get_place(self->shell)) & 1 && is_enabled(self, page) &&
      (lac_shell_get_place(self->shell) != LAC_PLACE_RUN || has_run))
    return lac_shell_get_place(self->shell);
  if (places & LAC_PLACE_BIT(RUN) && !g_str_equal(page, "setup"))
    return has_run ? LAC_PLACE_RUN : LAC_PLACE_EXPERIMENTS;
  for (LacPlace place = 0; place < LAC_N_PLACES; place++)
    if ((places >> place) & 1)
      return place;
  return LAC_PLACE_EXPERIMENTS;
}

void
lac_window_show_page(LacWindow *self, const char *page)
{
  LacPlace place = find_place(self, page);
  if (place == LAC_PLACE_EXPERIMENTS)
    page = "experiments"; /* no run is on display */
  lac_window_show_place(self, place, page);
}

void
lac_window_show_draft(LacWindow *self)
{
  lac_window_show_place(self, LAC_PLACE_DRAFT, "setup");
}

/* A tab was chosen. */
void
lac_window_on_tab(LacWindow *self)
{
  const char *page = lac_window_get_page(self);
  if (page != NULL)
    lac_window_show_title(self);
}

gboolean
lac_window_shows_comparison(LacWindow *self)
{
  return lac_shell_get_place(self->shell) == LAC_PLACE_COMPARISON;
}

const char *
lac_window_get_page(LacWindow *self)
{
  return lac_shell_get_page(self->shell);
}

/* Shows the run on display: its fields, or its times if those of another run are shown now. */
void
lac_window_show_run(LacWindow *self)
{
  const char *page = lac_window_get_page(self);
  gboolean    stays = lac_shell_get_place(self->shell) == LAC_PLACE_RUN && page != NULL &&
                   !g_str_equal(page, "setup");
  lac_window_show_place(self, LAC_PLACE_RUN, stays ? page : "live");
}

/* ---- the runs chosen ---- */

/* Returns: (transfer full): the LacRunItem that commands on runs apply to: those selected in the list of runs while it
 * is shown, else those chosen in the sidebar, else the run on display. */
GPtrArray *
lac_window_dup_chosen(LacWindow *self)
{
  if (lac_shell_get_place(self->shell) == LAC_PLACE_FOLDER)
    return lac_folder_page_get_selection(self->runs);
  g_autoptr(GPtrArray) chosen = lac_sidebar_get_runs(lac_shell_get_sidebar(self->shell));
  LacSession          *session = lac_workbench_get_session(self->workbench);
  if (chosen->len > 0 || lac_shell_get_place(self->shell) != LAC_PLACE_RUN || session == NULL)
    return g_steal_pointer(&chosen);
  LacRunItem               *item = lac_run_store_find(lac_workbench_get_run_store(self->workbench),
                                                      lac_session_get_folder(session));
  g_autoptr(LacRunHeadline) headline =
    item == NULL ? lac_run_headline_read(lac_session_get_folder(session)) : NULL;
  if (item != NULL)
    g_ptr_array_add(chosen, g_object_ref(item));
  else if (headline != NULL)
    g_ptr_array_add(chosen, lac_run_item_new(headline));
  return g_steal_pointer(&chosen);
}

static int
compare_begun(gconstpointer a, gconstpointer b)
{
  return lac_run_headline_compare(lac_run_item_get(*(LacRunItem *const *) a),
                                  lac_run_item_get(*(LacRunItem *const *) b), LAC_RUNS_BY_STARTED);
}

/* Compares runs (LacRunItem), the earlier first, a baseline before all. @runs: is sorted. */
void
lac_window_compare(LacWindow *self, GPtrArray *runs)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  if (runs->len < 2)
    return;
  g_ptr_array_sort(runs, compare_begun);
  for (guint i = 0; i < runs->len && i < LAC_COMPARISON_MOST; i++) {
    const LacRunHeadline *run = lac_run_item_get(runs->pdata[i]);
    g_ptr_array_insert(paths, run->is_baseline ? 0 : -1, run->path);
  }
  g_action_group_activate_action(
    G_ACTION_GROUP(self), "compare-runs",
    g_variant_new_strv((const char *const *) paths->pdata, (gssize) paths->len));
}

static void
on_runs_chosen(LacWindow *self)
{
  g_autoptr(GPtrArray) chosen = lac_sidebar_get_runs(lac_shell_get_sidebar(self->shell));
  if (chosen->len == 1)
    lac_window_open(self, lac_run_item_get(chosen->pdata[0])->path);
  else
    lac_window_compare(self, chosen);
}

/* The runs compared have been read. */
static void
on_compared(LacWindow *self)
{
  if (lac_shell_get_place(self->shell) == LAC_PLACE_COMPARISON)
    lac_window_mark_place(self);
}

static void
on_folder_chosen(LacWindow *self, LacRunGroupItem *group)
{
  g_action_group_activate_action(
    G_ACTION_GROUP(self), "show-folder",
    g_variant_new("(ss)", lac_run_group_item_get_key(group), lac_run_group_item_get_name(group)));
}

/* ---- the pages ---- */

static void
add_page(LacWindow *self, gsize page, gpointer child, GtkWidget *bar)
{
  lac_shell_add_page(self->shell, &pages[page], GTK_WIDGET(child), bar);
}

static void
add_gallery(LacWindow *self)
{
  self->gallery = g_object_new(LAC_TYPE_GALLERY_PAGE, NULL);
  add_page(self, EXPERIMENTS, self->gallery, NULL);
}

static void
add_benchmarks(LacWindow *self)
{
  self->benchmarks = g_object_new(LAC_TYPE_BENCHMARKS_PAGE, NULL);
  add_page(self, BENCHMARKS, self->benchmarks, lac_benchmarks_page_get_bar(self->benchmarks));
}

static void
add_setup(LacWindow *self)
{
  self->setup = g_object_new(LAC_TYPE_SETUP_PAGE, NULL);
  add_page(self, SETUP, self->setup, lac_setup_page_get_bar(self->setup));
}

static void
add_live(LacWindow *self)
{
  self->live = g_object_new(LAC_TYPE_LIVE_PAGE, NULL);
  add_page(self, LIVE, self->live, lac_live_page_get_bar(self->live));
}

static void
add_timeline(LacWindow *self)
{
  self->timeline = g_object_new(LAC_TYPE_TIMELINE_PAGE, NULL);
  add_page(self, TIMELINE, self->timeline, NULL);
  lac_shell_share_bar(self->shell, "timeline", "live");
}

static void
add_compare(LacWindow *self)
{
  self->compare = g_object_new(LAC_TYPE_COMPARE_PAGE, NULL);
  add_page(self, DIFFERENCES, lac_compare_page_get_differences(self->compare), NULL);
  add_page(self, COMPARE, self->compare, lac_compare_page_get_bar(self->compare));
  add_page(self, COMPARED_TIME, lac_compare_page_get_time(self->compare), NULL);
  lac_shell_share_bar(self->shell, "differences", "compare");
  lac_shell_share_bar(self->shell, "compare-time", "compare");
}

static void
add_report(LacWindow *self)
{
  self->report = g_object_new(LAC_TYPE_REPORT_PAGE, NULL);
  add_page(self, REPORT, self->report, lac_report_page_get_bar(self->report));
}

static void
add_runs(LacWindow *self)
{
  self->runs = g_object_new(LAC_TYPE_FOLDER_PAGE, NULL);
  add_page(self, RUNS, self->runs, lac_folder_page_get_bar(self->runs));
}

static void
add_fallback(LacWindow *self)
{
  self->fallback = g_object_new(LAC_TYPE_FALLBACK_BANNER, NULL);
  lac_shell_add_banner(self->shell, GTK_WIDGET(self->fallback));
}

/* The order of the tabs. */
static void (*const parts[])(LacWindow *) = {add_gallery, add_benchmarks, add_setup,
                                             add_live,    add_timeline,   add_compare,
                                             add_report,  add_runs,       add_fallback};

gboolean
lac_window_add_part(LacWindow *self)
{
  if (self->parts.n_made == G_N_ELEMENTS(parts))
    return FALSE;
  parts[self->parts.n_made++](self);
  return TRUE;
}

void
lac_window_follow_places(LacWindow *self)
{
  g_autoptr(GPropertyAction) reveal =
    g_property_action_new("show-sidebar", lac_shell_get_flap(self->shell), "reveal-flap");
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(reveal));
  g_signal_connect_object(lac_shell_get_sidebar(self->shell), "runs-chosen",
                          G_CALLBACK(on_runs_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lac_shell_get_sidebar(self->shell), "folder-chosen",
                          G_CALLBACK(on_folder_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->setup, "validity-changed", G_CALLBACK(show_draft), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->compare, "changed", G_CALLBACK(on_compared), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->workbench, "changed", G_CALLBACK(lac_window_show_title), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(lac_workbench_get_run_store(self->workbench), "changed",
                          G_CALLBACK(lac_window_show_title), self, G_CONNECT_SWAPPED);
  show_draft(self);
}
