/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input files that affect a run are read before it begins: conditions, estimate and outline use their contents. */
#include "base/error.h"
#include "run/core/inputs.h"
#include "run/plan/sweep.h"

#include <glib/gstdio.h>

#include <string.h>

static const char hydrogen[] = "2\n\nH 0 0 0\nH 0 0 0.74\n";
static const char water[] = "3\n\nO 0 0 0\nH 0 0.757 0.587\nH 0 -0.757 0.587\n";

typedef struct {
  char *folder, *path;
} Disk;

static void
disk_write(const Disk *disk, const char *text)
{
  g_assert_true(g_file_set_contents(disk->path, text, -1, NULL));
}

static void
disk_set_up(Disk *disk, gconstpointer data G_GNUC_UNUSED)
{
  disk->folder = g_dir_make_tmp("lacuna-inputs-XXXXXX", NULL);
  disk->path = g_build_filename(disk->folder, "molecule.xyz", NULL);
  disk_write(disk, hydrogen);
}

static void
disk_tear_down(Disk *disk, gconstpointer data G_GNUC_UNUSED)
{
  g_unlink(disk->path);
  g_rmdir(disk->folder);
  g_free(disk->path);
  g_free(disk->folder);
}

static LacDraft *
name_file(const LacExperiment *experiment, const char *path)
{
  LacDraft *draft = lac_draft_new(&experiment->params);

  g_assert_true(lac_draft_set(draft, "structure", path, NULL));
  return draft;
}

static double
estimate_memory(const LacExperiment *experiment, const LacDraft *draft)
{
  LacEstimate estimate;

  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  return estimate.memory_bytes;
}

static guint
count_nuclei(const LacExperiment *experiment, const LacDraft *draft)
{
  g_auto(LacOutline) outline = lac_experiment_outline(experiment, lac_draft_get_values(draft));

  return outline.molecule->n_nuclei;
}

static void
test_known_before(Disk *disk, gconstpointer data G_GNUC_UNUSED)
{
  const LacExperiment *experiment = lac_experiment_find("molecule", NULL);
  g_autoptr(LacDraft)  draft = name_file(experiment, disk->path);
  g_autoptr(GError)    error = NULL;
  double               memory;

  g_assert_false(experiment->check(experiment, lac_draft_get_values(draft), &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_clear_error(&error);
  g_assert_true(lac_inputs_give(draft, &error));
  g_assert_no_error(error);
  g_assert_true(experiment->check(experiment, lac_draft_get_values(draft), &error));
  g_assert_no_error(error);
  g_assert_cmpuint(count_nuclei(experiment, draft), ==, 2);
  memory = estimate_memory(experiment, draft);
  /* contents are retained until explicitly read again */
  disk_write(disk, water);
  g_assert_true(lac_inputs_give(draft, &error));
  g_assert_cmpuint(count_nuclei(experiment, draft), ==, 2);
  g_assert_true(lac_inputs_give_anew(draft, &error));
  g_assert_cmpuint(count_nuclei(experiment, draft), ==, 3);
  g_assert_cmpfloat(estimate_memory(experiment, draft), >, memory);
}

static void
test_bad_file(Disk *disk, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *text, *says;
  } files[] = {
    {"", "empty"},
    {"2\n\nH 0 0 0\nXx 0 0 1\n", "\"Xx\""},
    {"2\n\nH 0 0 0\nH 0 0 0\n", "bohr apart"},
    {"0\n\n", "nuclei"},
    {"1\ncharge=40\nH 0 0 0\n", "charge"},
  };
  const LacExperiment *experiment = lac_experiment_find("molecule", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autoptr(LacDraft) draft = name_file(experiment, disk->path);
    g_autoptr(GError)   error = NULL;

    disk_write(disk, files[i].text);
    g_assert_false(lac_inputs_give(draft, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, files[i].says));
    g_assert_nonnull(strstr(error->message, "molecule.xyz"));
    g_assert_false(experiment->check(experiment, lac_draft_get_values(draft), NULL));
  }
}

/* In a sweep over files every combination uses its own. */
static void
test_sweep(Disk *disk, gconstpointer data G_GNUC_UNUSED)
{
  const LacExperiment *experiment = lac_experiment_find("molecule", NULL);
  g_autofree char     *other = g_build_filename(disk->folder, "other.xyz", NULL);
  g_autofree char     *text = g_strdup_printf("structure=%s,%s", disk->path, other);
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacSweep)  sweep = lac_sweep_parse(&experiment->params, text, &error);
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);

  g_assert_no_error(error);
  g_assert_true(lac_sweep_apply(sweep, 0, draft, NULL));
  g_assert_cmpuint(count_nuclei(experiment, draft), ==, 2);
  g_assert_false(lac_sweep_apply(sweep, 1, draft, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_true(g_file_set_contents(other, water, -1, NULL));
  g_assert_true(lac_sweep_apply(sweep, 1, draft, NULL));
  g_assert_cmpuint(count_nuclei(experiment, draft), ==, 3);
  g_unlink(other);
}

int
main(int argc, char *argv[])
{
  g_test_init(&argc, &argv, NULL);
  g_test_add("/run/inputs/a-molecule-is-known-before-the-run", Disk, NULL, disk_set_up,
             test_known_before, disk_tear_down);
  g_test_add("/run/inputs/a-bad-file-is-said-in-a-sentence", Disk, NULL, disk_set_up, test_bad_file,
             disk_tear_down);
  g_test_add("/run/inputs/a-sweep-over-files-reads-each", Disk, NULL, disk_set_up, test_sweep,
             disk_tear_down);
  return g_test_run();
}
