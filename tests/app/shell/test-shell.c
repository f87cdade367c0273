/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the window: tabs, bottom bars and panes follow the place; the sidebar marks what is shown, opens the run
 * that is chosen in it and compares two. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/shell/application.h"
#include "app/shell/shell.h"
#include "app/shell/window.h"
#include "app/toolkit/bottom-bar.h"
#include "experiment/experiment.h"
#include "run/core/run.h"

/* ---- the shell alone ---- */

static const LacShellPage pages[] = {
  {"alone", "Alone", "view-grid-symbolic", LAC_PLACE_BIT(EXPERIMENTS)},
  {"first", "First", "view-grid-symbolic", LAC_PLACE_BIT(DRAFT) | LAC_PLACE_BIT(RUN)},
  {"second", "Second", "view-grid-symbolic", LAC_PLACE_BIT(RUN)},
};

/* Returns: (transfer none): the first widget of @type in or below @root; NULL: none */
static gpointer
find_widget(GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE(root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    gpointer found = find_widget(child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static guint
count_tabs(LacShell *shell)
{
  GtkWidget *switcher = find_widget(GTK_WIDGET(shell), ADW_TYPE_VIEW_SWITCHER);
  guint      n = 0;
  for (GtkWidget *tab = gtk_widget_get_first_child(switcher); tab != NULL;
       tab = gtk_widget_get_next_sibling(tab))
    n += gtk_widget_get_visible(switcher) && gtk_widget_get_visible(tab);
  return n;
}

static LacShell *
make_shell(GtkWidget *bar)
{
  LacShell *shell = g_object_ref_sink(g_object_new(LAC_TYPE_SHELL, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS(pages); i++)
    lac_shell_add_page(shell, &pages[i], gtk_label_new(pages[i].name), i == 1 ? bar : NULL);
  return shell;
}

static void
test_tabs_follow_the_place(void)
{
  if (!display_open())
    return;
  LacShell *shell = make_shell(NULL);
  g_assert_true(lac_shell_show(shell, LAC_PLACE_EXPERIMENTS, "alone"));
  g_assert_cmpuint(count_tabs(shell), ==, 0); /* nothing to choose from */
  g_assert_true(lac_shell_show(shell, LAC_PLACE_RUN, "second"));
  g_assert_cmpuint(count_tabs(shell), ==, 2);
  g_assert_cmpstr(lac_shell_get_page(shell), ==, "second");
  g_assert_true(lac_shell_show(shell, LAC_PLACE_DRAFT, "first"));
  g_assert_cmpuint(count_tabs(shell), ==, 0);
  g_assert_false(lac_shell_show(shell, LAC_PLACE_RUN, "no-such-page"));
  g_assert_cmpint(lac_shell_get_place(shell), ==, LAC_PLACE_DRAFT);
  g_assert_finalize_object(shell);
}

static void
test_a_tab_can_be_off(void)
{
  if (!display_open())
    return;
  LacShell *shell = make_shell(NULL);
  lac_shell_show(shell, LAC_PLACE_RUN, "first");
  GtkWidget *tab =
    gtk_widget_get_last_child(find_widget(GTK_WIDGET(shell), ADW_TYPE_VIEW_SWITCHER));
  g_assert_true(gtk_widget_get_sensitive(tab));
  lac_shell_enable(shell, "second", FALSE);
  g_assert_false(gtk_widget_get_sensitive(tab));
  lac_shell_show(shell, LAC_PLACE_DRAFT, "first"); /* remains off */
  lac_shell_show(shell, LAC_PLACE_RUN, "first");
  g_assert_false(gtk_widget_get_sensitive(tab));
  lac_shell_enable(shell, "second", TRUE);
  g_assert_true(gtk_widget_get_sensitive(tab));
  g_assert_finalize_object(shell);
}

static void
test_bars_belong_to_pages(void)
{
  if (!display_open())
    return;
  GtkWidget *bar = lac_bottom_bar_new();
  LacShell  *shell = make_shell(bar);
  GtkWidget *bars = gtk_widget_get_parent(bar);
  lac_shell_show(shell, LAC_PLACE_RUN, "first");
  g_assert_true(gtk_widget_get_visible(bars));
  lac_shell_show(shell, LAC_PLACE_RUN, "second");
  g_assert_false(gtk_widget_get_visible(bars));
  lac_shell_share_bar(shell, "second", "first");
  lac_shell_show(shell, LAC_PLACE_RUN, "second");
  g_assert_true(gtk_widget_get_visible(bars));
  g_assert_true(gtk_stack_get_visible_child(GTK_STACK(bars)) == bar);
  g_assert_finalize_object(shell);
}

static void
test_panes_are_those_shown(void)
{
  if (!display_open())
    return;
  GtkWidget *bar = lac_bottom_bar_new(), *panes[LAC_SHELL_MOST_PANES];
  LacShell  *shell = make_shell(bar);
  lac_shell_show(shell, LAC_PLACE_RUN, "first");
  g_assert_cmpuint(lac_shell_list_panes(shell, panes), ==, 4); /* sidebar, header, page, bar */
  g_assert_true(panes[0] == GTK_WIDGET(lac_shell_get_sidebar(shell)));
  g_assert_true(panes[2] == lac_shell_get_child(shell));
  adw_flap_set_reveal_flap(lac_shell_get_flap(shell), FALSE);
  g_assert_cmpuint(lac_shell_list_panes(shell, panes), ==, 3);
  lac_shell_show(shell, LAC_PLACE_RUN, "second");
  g_assert_cmpuint(lac_shell_list_panes(shell, panes), ==, 2); /* without a bar */
  g_assert_finalize_object(shell);
}

/* ---- the window with runs ---- */

typedef struct {
  char      *folder, *paths[2];
  LacWindow *window;
  LacShell  *shell;
} Fixture;

static char *
make_run(const char *folder, const char *sensors)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *experiment = lac_experiment_find("heat1d", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_assert_true(lac_draft_set(draft, "sensors", sensors, &error));
  g_assert_true(lac_draft_set(draft, "engines", "pod", &error));
  LacRunSettings settings = {.experiment = experiment, .draft = draft, .out = folder, .threads = 1};
  g_autoptr(LacRun) run = lac_run_new(&settings, &error);
  g_assert_no_error(error);
  lac_run_start(run, FALSE);
  g_assert_true(lac_run_wait(run, &error));
  return g_strdup(lac_run_get_folder(run));
}

/* Returns: the single application of all tests: a process can register only one. */
static GtkApplication *
get_application(void)
{
  GApplication     *application = g_application_get_default();
  g_autoptr(GError) error = NULL;
  if (application != NULL)
    return GTK_APPLICATION(application);
  application = G_APPLICATION(lac_application_new());
  g_application_set_flags(application,
                          G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
  g_application_register(application, NULL, &error);
  g_assert_no_error(error);
  g_application_set_default(application);
  return GTK_APPLICATION(application);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  if (!display_open())
    return;
  fixture->folder = g_dir_make_tmp("lacuna-shell-XXXXXX", NULL);
  fixture->paths[0] = make_run(fixture->folder, "4");
  fixture->paths[1] = make_run(fixture->folder, "6");
  fixture->window = lac_window_new(get_application());
  lac_window_complete(fixture->window);
  fixture->shell = find_widget(GTK_WIDGET(fixture->window), LAC_TYPE_SHELL);
  g_action_group_activate_action(G_ACTION_GROUP(fixture->window), "runs-folder",
                                 g_variant_new_string(fixture->folder));
  gtk_window_present(GTK_WINDOW(fixture->window));
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->folder == NULL)
    return;
  gtk_window_destroy(GTK_WINDOW(fixture->window));
  remove_all(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->paths[0]);
  g_free(fixture->paths[1]);
}

static GtkSelectionModel *
get_selection(Fixture *fixture)
{
  GtkListView *list =
    find_widget(GTK_WIDGET(lac_shell_get_sidebar(fixture->shell)), GTK_TYPE_LIST_VIEW);
  return gtk_list_view_get_model(list);
}

/* Returns: the position of the row of run @i; waits until it is there. */
static guint
find_row(Fixture *fixture, guint i)
{
  guint late = display_limit_wait();
  for (;;) {
    GListModel *rows = G_LIST_MODEL(get_selection(fixture));
    for (guint k = 0; k < g_list_model_get_n_items(rows); k++) {
      g_autoptr(GObject) item = g_list_model_get_item(rows, k);
      if (LAC_IS_RUN_ITEM(item) &&
          g_str_equal(lac_run_item_get(LAC_RUN_ITEM(item))->path, fixture->paths[i])) {
        g_source_remove(late);
        return k;
      }
    }
    g_main_context_iteration(NULL, TRUE);
  }
}

static void
wait_for_place(Fixture *fixture, LacPlace place)
{
  guint late = display_limit_wait();
  while (lac_shell_get_place(fixture->shell) != place)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

/* Waits until exactly the rows of these runs are marked. */
static void
wait_for_marks(Fixture *fixture, gboolean first, gboolean second)
{
  guint late = display_limit_wait();
  for (;;) {
    guint                a = find_row(fixture, 0), b = find_row(fixture, 1);
    g_autoptr(GtkBitset) marked = gtk_selection_model_get_selection(get_selection(fixture));
    if (gtk_bitset_contains(marked, a) == first && gtk_bitset_contains(marked, b) == second)
      break;
    g_main_context_iteration(NULL, TRUE);
  }
  g_source_remove(late);
}

static void
test_a_chosen_run_is_opened(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  gtk_selection_model_select_item(get_selection(fixture), find_row(fixture, 0), TRUE);
  wait_for_place(fixture, LAC_PLACE_RUN);
  g_assert_cmpstr(lac_shell_get_page(fixture->shell), ==, "live");
  wait_for_marks(fixture, TRUE, FALSE);
  g_action_group_activate_action(G_ACTION_GROUP(fixture->window), "show-page",
                                 g_variant_new_string("timeline"));
  gtk_selection_model_select_item(get_selection(fixture), find_row(fixture, 1), TRUE);
  wait_for_marks(fixture, FALSE, TRUE);
  g_assert_cmpstr(lac_shell_get_page(fixture->shell), ==, "timeline"); /* the tab remains */
  g_action_group_activate_action(G_ACTION_GROUP(fixture->window), "show-page",
                                 g_variant_new_string("experiments"));
  wait_for_marks(fixture, FALSE, FALSE);
}

static void
test_two_chosen_runs_are_compared(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  GtkSelectionModel *selection = get_selection(fixture);
  gtk_selection_model_select_item(selection, find_row(fixture, 1), TRUE);
  wait_for_place(fixture, LAC_PLACE_RUN);
  gtk_selection_model_select_item(selection, find_row(fixture, 0), FALSE);
  wait_for_place(fixture, LAC_PLACE_COMPARISON);
  wait_for_marks(fixture, TRUE, TRUE);
  guint late = display_limit_wait();
  while (!g_action_group_get_action_enabled(G_ACTION_GROUP(fixture->window), "compare-swap"))
    g_main_context_iteration(NULL, TRUE); /* until both are read */
  g_source_remove(late);
  wait_for_marks(fixture, TRUE, TRUE);
}

static void
test_a_draft_has_its_set_up_alone(Fixture *fixture, gconstpointer data)
{
  if (fixture->window == NULL)
    return;
  GActionGroup *actions = G_ACTION_GROUP(fixture->window);
  g_action_group_activate_action(actions, "configure", g_variant_new_string("heat1d"));
  g_assert_cmpint(lac_shell_get_place(fixture->shell), ==, LAC_PLACE_DRAFT);
  g_action_group_activate_action(actions, "show-page", g_variant_new_string("live"));
  g_assert_cmpint(lac_shell_get_place(fixture->shell), ==, LAC_PLACE_EXPERIMENTS); /* no run */
  g_action_group_activate_action(actions, "show-draft", NULL);
  g_assert_cmpstr(lac_shell_get_page(fixture->shell), ==, "setup");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/shell/tabs-follow-the-place", test_tabs_follow_the_place);
  g_test_add_func("/app/shell/a-tab-can-be-off", test_a_tab_can_be_off);
  g_test_add_func("/app/shell/bars-belong-to-pages", test_bars_belong_to_pages);
  g_test_add_func("/app/shell/panes-are-those-shown", test_panes_are_those_shown);
#define ADD(name, test) g_test_add("/app/shell/" name, Fixture, NULL, set_up, test, tear_down)
  ADD("a-chosen-run-is-opened", test_a_chosen_run_is_opened);
  ADD("two-chosen-runs-are-compared", test_two_chosen_runs_are_compared);
  ADD("a-draft-has-its-set-up-alone", test_a_draft_has_its_set_up_alone);
  return g_test_run();
}
