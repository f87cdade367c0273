/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place that the window shows, the tabs of that place, and the runs chosen in it. */
#include "app/session/run-group-item.h"
#include "app/session/words.h"
#include "app/shell/shim.h"
#include "app/shell/window-private.h"
#include "report/compare/comparison.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define BIT(place) (1U << LAC_PLACE_##place)

/* Pages in the order of their tabs, and the places they belong to; the first place is the one a page opens in. A place
 * with a single page shows no tabs. */
static const struct {
  const char *page;
  guint       places;
} tabs[] = {
  {"experiments", BIT(EXPERIMENTS)},
  {"setup", BIT(DRAFT) | BIT(RUN)},
  {"live", BIT(DRAFT) | BIT(RUN)},
  {"timeline", BIT(DRAFT) | BIT(RUN) | BIT(TRACE)},
  {"compare", BIT(COMPARISON)},
  {"report", BIT(DRAFT) | BIT(RUN) | BIT(COMPARISON)},
  {"runs", BIT(FOLDER)},
  {"sweep", BIT(FOLDER)},
};

/* ---- the header ---- */

static void
set_title(LacWindow *self, const char *title, const char *subtitle)
{
  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->subtitle, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible(GTK_WIDGET(self->subtitle), subtitle != NULL);
}

static void
title_run(LacWindow *self)
{
  LacSession *session = lac_workbench_get_session(self->workbench);
  if (session == NULL)
    return;
  LacRunItem      *item = lac_run_store_find(lac_workbench_get_run_store(self->workbench),
                                             lac_session_get_folder(session));
  g_autofree char *caption = item != NULL ? lac_run_item_dup_started(lac_run_item_get(item))
                                          : lac_session_dup_words(session);
  set_title(self, lac_session_get_title(session), caption);
}

static void
title_comparison(LacWindow *self)
{
  g_auto(GStrv)    paths = lac_compare_page_dup_paths(self->compare);
  guint            n = g_strv_length(paths);
  g_autofree char *title = g_strdup_printf(ngettext("%u run compared", "%u runs compared", n), n);
  set_title(self, n > 0 ? title : _("Comparison"), NULL);
}

/* Called when the place or what it shows has changed. */
void
lac_window_show_title(LacWindow *self)
{
  const LacExperiment *draft = lac_setup_page_get_experiment(self->setup);
  switch (self->place) {
  case LAC_PLACE_EXPERIMENTS: set_title(self, _("Experiments"), NULL); break;
  case LAC_PLACE_BENCHMARKS: set_title(self, _("Benchmarks"), NULL); break;
  case LAC_PLACE_DRAFT:
    set_title(self, draft != NULL ? g_dgettext(GETTEXT_PACKAGE, draft->title) : _("Set-up"),
              _("new run"));
    break;
  case LAC_PLACE_RUN: title_run(self); break;
  case LAC_PLACE_FOLDER: set_title(self, _("All runs"), NULL); break;
  case LAC_PLACE_COMPARISON: title_comparison(self); break;
  case LAC_PLACE_TRACE: set_title(self, _("Trace"), NULL); break;
  case LAC_N_PLACES: break;
  }
}

/* A draft has nothing to show but its set-up. */
static gboolean
is_enabled(LacWindow *self, const char *page)
{
  return self->place != LAC_PLACE_DRAFT || g_str_equal(page, "setup");
}

/* The buttons of the switcher stand in the order of the pages. */
static void
show_tabs(LacWindow *self)
{
  GListModel *pages = G_LIST_MODEL(adw_view_stack_get_pages(self->stack));
  GtkWidget  *button = gtk_widget_get_first_child(GTK_WIDGET(self->switcher));
  guint       n_visible = 0;
  for (guint i = 0; i < g_list_model_get_n_items(pages); i++) {
    g_autoptr(AdwViewStackPage) page = g_list_model_get_item(pages, i);
    n_visible += adw_view_stack_page_get_visible(page);
    if (button == NULL)
      continue;
    gtk_widget_set_sensitive(button, is_enabled(self, adw_view_stack_page_get_name(page)));
    button = gtk_widget_get_next_sibling(button);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->switcher), n_visible > 1);
}

static AdwViewStackPage *
page_of(LacWindow *self, const char *name)
{
  GtkWidget *child = adw_view_stack_get_child_by_name(self->stack, name);
  return child != NULL ? adw_view_stack_get_page(self->stack, child) : NULL;
}

/* Searches the runs of the sidebar. */
void
lac_window_find_run(LacWindow *self)
{
  adw_flap_set_reveal_flap(self->flap, TRUE);
  lac_sidebar_find(self->sidebar);
}

/* ---- the draft in the sidebar ---- */

/* A set-up that was neither opened nor changed is no draft. */
static void
show_draft(LacWindow *self)
{
  guint    n_changed = lac_setup_page_get_n_changed(self->setup);
  gboolean is_draft = n_changed > 0 || self->place == LAC_PLACE_DRAFT;
  lac_progress_list_set_draft(lac_sidebar_get_progress(self->sidebar),
                              is_draft ? lac_setup_page_get_experiment(self->setup) : NULL,
                              n_changed);
  if (self->place == LAC_PLACE_DRAFT)
    lac_window_show_title(self);
}

/* ---- the place ---- */

static void
show_bar(LacWindow *self, const char *page)
{
  const char *name = g_str_equal(page, "timeline") ? "live" : page; /* one transport for both */
  GtkWidget  *bar = gtk_stack_get_child_by_name(self->bars, name);
  if (bar != NULL)
    gtk_stack_set_visible_child(self->bars, bar);
  gtk_widget_set_visible(GTK_WIDGET(self->bars), bar != NULL);
}

void
lac_window_mark_place(LacWindow *self)
{
  LacSession   *session = lac_workbench_get_session(self->workbench);
  g_auto(GStrv) compared =
    self->place == LAC_PLACE_COMPARISON ? lac_compare_page_dup_paths(self->compare) : NULL;
  const char *const one[] = {session != NULL ? lac_session_get_folder(session) : NULL, NULL};
  lac_window_show_title(self);
  lac_sidebar_show_place(self->sidebar, self->place,
                         compared != NULL ? (const char *const *) compared : one);
}

void
lac_window_show_place(LacWindow *self, LacPlace place, const char *page)
{
  if (page_of(self, page) == NULL)
    return;
  self->place = place;
  adw_view_stack_page_set_visible(page_of(self, page), TRUE); /* before it is chosen */
  adw_view_stack_set_visible_child_name(self->stack, page);
  for (gsize i = 0; i < G_N_ELEMENTS(tabs); i++)
    adw_view_stack_page_set_visible(page_of(self, tabs[i].page), (tabs[i].places >> place) & 1);
  show_tabs(self);
  show_bar(self, page);
  show_draft(self);
  lac_window_mark_place(self);
}

/* Returns the place in which @page is shown: the present one if it has that page. */
static LacPlace
find_place(LacWindow *self, const char *page)
{
  LacSession *session = lac_workbench_get_session(self->workbench);
  guint       places = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(tabs); i++)
    if (g_str_equal(tabs[i].page, page))
      places = tabs[i].places;
  if ((places >> self->place) & 1 && is_enabled(self, page) &&
      (self->place != LAC_PLACE_RUN || session != NULL))
    return self->place;
  if (places & BIT(RUN) && !g_str_equal(page, "setup"))
    return session != NULL ? LAC_PLACE_RUN : LAC_PLACE_EXPERIMENTS;
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

/* A tab was chosen. */
void
lac_window_on_tab(LacWindow *self)
{
  const char *page = lac_window_get_page(self);
  if (page == NULL)
    return;
  show_bar(self, page);
  lac_window_show_title(self);
}

gboolean
lac_window_shows_comparison(LacWindow *self)
{
  return self->place == LAC_PLACE_COMPARISON;
}

const char *
lac_window_get_page(LacWindow *self)
{
  return adw_view_stack_get_visible_child_name(self->stack);
}

/* Shows the run on display: its fields, or its times if those of another run are shown now. */
void
lac_window_show_run(LacWindow *self)
{
  const char *page = lac_window_get_page(self);
  gboolean    stays = self->place == LAC_PLACE_RUN && page != NULL && !g_str_equal(page, "setup");
  lac_window_show_place(self, LAC_PLACE_RUN, stays ? page : "live");
}

/* ---- the runs chosen ---- */

/* Returns: (transfer full): the LacRunItem that commands on runs apply to: those selected in the list of runs while it
 * is shown, else those chosen in the sidebar, else the run on display. */
GPtrArray *
lac_window_dup_chosen(LacWindow *self)
{
  if (self->place == LAC_PLACE_FOLDER)
    return lac_runs_page_get_selection(self->runs);
  g_autoptr(GPtrArray) chosen = lac_sidebar_get_runs(self->sidebar);
  LacSession          *session = lac_workbench_get_session(self->workbench);
  if (chosen->len > 0 || self->place != LAC_PLACE_RUN || session == NULL)
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

/* The earlier run comes first; a baseline before all. */
static int
compare_begun(gconstpointer a, gconstpointer b)
{
  return lac_run_headline_compare(lac_run_item_get(*(LacRunItem *const *) a),
                                  lac_run_item_get(*(LacRunItem *const *) b), LAC_RUNS_BY_STARTED);
}

static void
on_runs_chosen(LacWindow *self)
{
  g_autoptr(GPtrArray) chosen = lac_sidebar_get_runs(self->sidebar);
  if (chosen->len == 1) {
    lac_window_open(self, lac_run_item_get(chosen->pdata[0])->path);
    return;
  }
  g_ptr_array_sort(chosen, compare_begun);
  GVariantBuilder paths;
  g_variant_builder_init(&paths, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < chosen->len && i < LAC_COMPARISON_MOST; i++)
    g_variant_builder_add(&paths, "s", lac_run_item_get(chosen->pdata[i])->path);
  g_action_group_activate_action(G_ACTION_GROUP(self), "compare-runs",
                                 g_variant_builder_end(&paths));
}

/* The runs compared have been read. */
static void
on_compared(LacWindow *self)
{
  if (self->place == LAC_PLACE_COMPARISON)
    lac_window_mark_place(self);
}

static void
on_folder_chosen(LacWindow *self, LacRunGroupItem *group)
{
  lac_window_show_place(self, LAC_PLACE_FOLDER, "runs");
}

void
lac_window_add_bar(LacWindow *self, const char *page, GtkWidget *bar)
{
  if (bar != NULL)
    gtk_stack_add_named(self->bars, bar, page);
}

/* ---- less room ---- */

#define WIDE_TABS \
  820 /* width of the content from which the tabs have their words beside their symbols */

/* Called with every new width of the content. */
static gboolean
on_width(gpointer window)
{
  LacWindow *self = window;
  int        width = gtk_widget_get_width(adw_flap_get_content(self->flap));
  adw_view_switcher_set_policy(self->switcher, width < WIDE_TABS ? ADW_VIEW_SWITCHER_POLICY_NARROW
                                                                 : ADW_VIEW_SWITCHER_POLICY_WIDE);
  self->fit = 0;
  return G_SOURCE_REMOVE;
}

void
lac_window_fit(LacWindow *self)
{
  if (self->fit == 0 && self->flap != NULL)
    self->fit = g_idle_add(on_width, self);
}

void
lac_window_follow_places(LacWindow *self)
{
  g_autoptr(GPropertyAction) reveal =
    g_property_action_new("show-sidebar", self->flap, "reveal-flap");
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(reveal));
  lac_sidebar_set_workbench(self->sidebar, self->workbench);
  g_signal_connect_object(self->sidebar, "runs-chosen", G_CALLBACK(on_runs_chosen), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sidebar, "folder-chosen", G_CALLBACK(on_folder_chosen), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->setup, "validity-changed", G_CALLBACK(show_draft), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->compare, "changed", G_CALLBACK(on_compared), self,
                          G_CONNECT_SWAPPED);
  show_draft(self);
  lac_window_add_bar(self, "setup", lac_setup_page_get_bar(self->setup));
  lac_window_add_bar(self, "report", lac_report_page_get_bar(self->report));
}
