/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview of a run. */
#include "experiment/experiment.h"
#include "run/plan/preview.h"

#include <glib/gstdio.h>

static gboolean
never(gpointer user_data)
{
  return FALSE;
}

/* Every experiment with a preview draws it with its defaults: one plane per channel, finite and not constant. */
static void
test_defaults(void)
{
  gsize                       n, n_drawn = 0;
  const LacExperiment *const *experiments = lac_experiments(&n);

  for (gsize i = 0; i < n; i++) {
    g_autoptr(LacDraft)  draft = lac_draft_new(&experiments[i]->params);
    g_autoptr(GError)    error = NULL;
    const LacRunSettings settings = {.experiment = experiments[i], .draft = draft, .seed = 1};

    if (!experiments[i]->preview)
      continue;
    g_autoptr(LacFrame) frame = lac_run_preview(&settings, never, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(frame->n_planes, ==, experiments[i]->preview->n_channels);
    for (gsize p = 0; p < frame->n_planes; p++) {
      g_assert_cmpuint(frame->planes[p].n_not_finite, ==, 0);
      g_assert_cmpfloat(frame->planes[p].max, >, frame->planes[p].min);
    }
    n_drawn++;
  }
  g_assert_cmpuint(n_drawn, >, 0);
}

/* The preview follows the settings: the size follows its row, a pattern's planes follow the apertures. */
static void
test_follows(void)
{
  g_autoptr(GError)    error = NULL;
  const LacExperiment *moon = lac_experiment_find("moon", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&moon->params);
  const LacRunSettings settings = {.experiment = moon, .draft = draft, .seed = 1};

  g_assert_true(lac_draft_set(draft, "size", "40", &error));
  g_assert_true(lac_draft_set(draft, "apertures", "1", &error));
  g_autoptr(LacFrame) frame = lac_run_preview(&settings, never, NULL, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(frame->planes[0].nx, ==, 40);
  g_assert_cmpfloat(frame->planes[1].max, ==, 1); /* one aperture, once */
}

static void
test_refused(void)
{
  g_autofree char     *folder = g_dir_make_tmp("lacuna-preview-XXXXXX", NULL);
  g_autofree char     *path = g_build_filename(folder, "not.png", NULL);
  g_autoptr(GError)    error = NULL;
  const LacExperiment *picture = lac_experiment_find("picture", &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&picture->params);
  const LacRunSettings settings = {.experiment = picture, .draft = draft, .seed = 1};

  g_assert_true(g_file_set_contents(path, "\x89PNG\r\n\x1a\nnonsense", -1, NULL));
  g_assert_true(lac_draft_set(draft, "object", path, &error));
  g_assert_null(lac_run_preview(&settings, never, NULL, &error));
  g_assert_nonnull(error);
  g_assert_nonnull(strstr(error->message, "not.png"));
  g_remove(path);
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/preview/defaults-are-drawn", test_defaults);
  g_test_add_func("/run/preview/it-follows-the-parameters", test_follows);
  g_test_add_func("/run/preview/a-bad-picture-is-refused-in-a-sentence", test_refused);
  return g_test_run();
}
