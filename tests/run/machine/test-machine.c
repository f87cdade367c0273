/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's devices: the CPU, and devices on the emulated module, each kind in a process of its own. */
#include "emulated.h"

#include "base/pool.h"
#include "helpers/folder.h"
#include "run/machine/machine.h"

#include <string.h>

static const char *
find_row(char **rows, const char *label)
{
  for (; rows[0] != NULL && rows[1] != NULL; rows += 2)
    if (g_str_equal(rows[0], label))
      return rows[1];
  return NULL;
}

static void
processor_is_described(void)
{
  g_autoptr(GPtrArray)  parts = lac_machine_query();
  const LacMachinePart *part = g_ptr_array_index(parts, 0);
  g_auto(GStrv)         rows = lac_machine_part_dup_rows(part);

  g_assert_cmpstr(part->name, ==, "cpu");
  g_assert_null(part->why);
  g_assert_cmpuint(part->processor.n_threads, ==, lac_pool_available());
  g_assert_cmpuint(part->processor.n_cores, >=, 1);
  g_assert_cmpuint(part->processor.n_cores, <=, g_get_num_processors());
  g_assert_cmpuint(part->processor.memory, >, (guint64) 1 << 27);
  g_assert_cmpuint(part->processor.memory_free, <=, part->processor.memory);
  g_assert_cmpstr(find_row(rows, "Vector instructions"), ==, part->processor.level);
  g_assert_cmpstr(find_row(rows, "Usable"), ==, "yes");
}

/* Expected description of device @part, counted from 1, on a machine with these environment variables. */
typedef struct {
  const char *name;
  const char *variables[6]; /* name, value ... */
  guint       part;
  const char *usable; /* start of its row */
  const char *words;  /* part of the same row */
  const char *capability, *built_for;
} Card;

static const Card cards[] = {
  {"capability-86", {"LACUNA_EMULATED_CAPABILITY", "86"}, 1, "yes", "", "8.6", "7.5 8.0 9.0"},
  {"the-second-of-two",
   {"LACUNA_EMULATED_CAPABILITY", "90,86", "LACUNA_EMULATED_DEVICES", "2"},
   2,
   "yes",
   "",
   "8.6",
   "7.5 8.0 9.0"},
  {"no-code-for-it",
   {"LACUNA_EMULATED_CAPABILITY", "86", "LACUNA_EMULATED_BUILT_FOR", "900,1200"},
   1,
   "no: ",
   "no code for emulated device, whose compute capability is 8.6; it has code for 9.0 12.0. Build "
   "it with -Ddevice_capabilities=86",
   "8.6",
   "9.0 12.0"},
  {"a-driver-too-old",
   {"LACUNA_EMULATED_DRIVER", "11040"},
   1,
   "no: ",
   "it supports CUDA 11.4, but this program needs 13.0",
   NULL,
   "7.5 8.0 9.0"},
  {"no-card",
   {"LACUNA_EMULATED_DEVICES", "0"},
   1,
   "no: ",
   "No NVIDIA GPU responds on this machine",
   NULL,
   "7.5 8.0 9.0"},
  {"no-module", {"LACUNA_MODULE_DIR", "nowhere"}, 1, "no: ", "not installed", NULL, NULL},
};

static void
assert_listed(const Card *card)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);
  g_autoptr(GPtrArray) parts = NULL;

  g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
  for (gsize i = 0; card->variables[i] != NULL; i += 2)
    g_setenv(card->variables[i], card->variables[i + 1], TRUE);
  parts = lac_machine_query();
  g_assert_cmpuint(parts->len, ==, card->part + 1);
  const LacMachinePart *part = g_ptr_array_index(parts, card->part);
  g_auto(GStrv)         rows = lac_machine_part_dup_rows(part);
  const char           *usable = find_row(rows, "Usable");

  g_test_message("%s", usable);
  g_assert_true(g_str_has_prefix(usable, card->usable));
  g_assert_nonnull(strstr(usable, card->words));
  g_assert_cmpstr(find_row(rows, "Compute capability"), ==, card->capability);
  g_assert_cmpstr(find_row(rows, "Built for"), ==, card->built_for);
  g_assert_cmpstr(lac_machine_part_get_title(part), ==,
                  card->capability != NULL ? "emulated device" : "NVIDIA GPU");
  g_assert_cmpint(part->why == NULL, ==, g_str_equal(card->usable, "yes"));
}

/* A build without the module reports the reason in place of a device. */
static void
module_that_was_not_built_says_why(void)
{
  if (g_test_subprocess()) {
    g_autofree char      *folder = test_folder_new();
    g_autofree char      *path = g_build_filename(folder, "liblac-cuda.why", NULL);
    g_autoptr(GPtrArray)  parts = NULL;
    const LacMachinePart *part;

    g_assert_true(g_file_set_contents(path, "nvcc was not found\n", -1, NULL));
    g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
    parts = lac_machine_query();
    part = g_ptr_array_index(parts, 1);
    g_assert_cmpstr(part->why, ==, "The CUDA module was not built: nvcc was not found");
    test_folder_remove(g_steal_pointer(&folder));
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

static void
card_is_listed(gconstpointer data)
{
  if (g_test_subprocess()) {
    assert_listed(data);
    return;
  }
  if (emulated_backend() == NULL) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/machine/the-processor-is-described", processor_is_described);
  g_test_add_func("/run/machine/a-module-that-was-not-built-says-why",
                  module_that_was_not_built_says_why);
  for (gsize i = 0; i < G_N_ELEMENTS(cards); i++) {
    g_autofree char *path = g_strconcat("/run/machine/listed/", cards[i].name, NULL);
    g_test_add_data_func(path, &cards[i], card_is_listed);
  }
  return g_test_run();
}
