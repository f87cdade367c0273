/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of metrics: a method evaluated only by its sensors has a note, one evaluated against the true field has
 * none. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/live/facts.h"

#include <string.h>

static const char *const small[][2] = {
  {"grid", "16"},   {"forcing", "2"}, {"snapshots", "60"}, {"observations", "20"},
  {"spin_up", "5"}, {"sensors", "6"}, {"engines", "pod"},
};

/* @measurements: (nullable): the run then has no true field. Returns: (transfer full): ended. */
static LacSession *
run(const char *out, const char *measurements)
{
  const LacExperiment *experiment = lac_experiment_find("kolmogorov", NULL);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  g_autoptr(GError)    error = NULL;
  guint                late = display_limit_wait();
  for (gsize i = 0; i < G_N_ELEMENTS(small); i++)
    g_assert_true(lac_draft_set(draft, small[i][0], small[i][1], NULL));
  if (measurements != NULL)
    lac_draft_set(draft, "measurements", measurements, &error);
  g_assert_no_error(error);
  const LacRunSettings settings = {.experiment = experiment,
                                   .draft = draft,
                                   .backend = "cpu",
                                   .precision = "f64",
                                   .threads = 1,
                                   .out = out};
  LacSession          *session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  while (lac_session_is_active(session))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpstr(lac_session_get_status(session)->outcome, ==, "finished");
  return session;
}

/* Returns the first visible label below @root that contains @words. */
static GtkWidget *
find_words(GtkWidget *root, const char *words)
{
  if (GTK_IS_LABEL(root))
    return gtk_widget_get_visible(root) && strstr(gtk_label_get_text(GTK_LABEL(root)), words)
             ? root
             : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_words(child, words);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
test_sentence(void)
{
  if (!display_open())
    return;
  g_autofree char      *out = g_dir_make_tmp("lacuna-metric-list-XXXXXX", NULL);
  g_autoptr(LacSession) scored = run(out, NULL);
  g_autofree char *sensors = g_build_filename(lac_session_get_folder(scored), "sensors.csv", NULL);
  g_autoptr(LacSession) alone = run(out, sensors);
  LacMetricList        *list = g_object_ref_sink(g_object_new(LAC_TYPE_METRIC_LIST, NULL));
  lac_metric_list_set_session(list, scored);
  g_assert_nonnull(find_words(GTK_WIDGET(list), "Current error"));
  g_assert_null(find_words(GTK_WIDGET(list), "(misfit χ²"));
  lac_metric_list_set_session(list, alone);
  g_assert_nonnull(find_words(GTK_WIDGET(list), "Current misfit"));
  g_assert_null(find_words(GTK_WIDGET(list), "Current error"));
  GtkWidget *sentence = find_words(GTK_WIDGET(list), "(misfit χ²");
  g_assert_nonnull(sentence);
  const char *text = gtk_label_get_text(GTK_LABEL(sentence));
  g_assert_true(g_str_has_prefix(text, "It ") && g_str_has_suffix(text, "."));
  g_assert_nonnull(strstr(text, "a left-out sensor is predicted"));
  lac_metric_list_set_session(list, NULL);
  g_assert_null(find_words(GTK_WIDGET(list), "measured"));
  g_object_unref(list);
  remove_all(out);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/metric-list/engine-without-truth-has-its-sentence", test_sentence);
  return g_test_run();
}
