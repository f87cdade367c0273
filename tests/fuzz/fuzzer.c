/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reader under libFuzzer, named by FUZZ_TARGET. LACUNA_FUZZ_SEEDS: a folder to fill with intact files first. */
#include "target.h"

#include "helpers/folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const guint8 *bytes, size_t length);

static const FuzzTarget *target;
static char             *folder;

static void
clean_up(void)
{
  test_folder_remove(folder);
}

static void
write_seeds(const char *place)
{
  char                *nursery = test_folder_new();
  g_autoptr(GPtrArray) seeds = target->seeds(nursery);

  g_mkdir_with_parents(place, 0700);
  for (guint i = 0; i < seeds->len; i++) {
    const GByteArray *seed = seeds->pdata[i];
    g_autofree char  *path = g_strdup_printf("%s/seed-%u", place, i);

    g_file_set_contents(path, (const char *) seed->data, seed->len, NULL);
  }
  test_folder_remove(nursery);
}

int
LLVMFuzzerInitialize(int *argc G_GNUC_UNUSED, char ***argv G_GNUC_UNUSED)
{
  gsize             n;
  const FuzzTarget *targets = fuzz_targets(&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal(targets[i].name, FUZZ_TARGET))
      target = &targets[i];
  g_assert_nonnull(target);
  folder = test_folder_new();
  atexit(clean_up);
  if (g_getenv("LACUNA_FUZZ_SEEDS") != NULL)
    write_seeds(g_getenv("LACUNA_FUZZ_SEEDS"));
  return 0;
}

int
LLVMFuzzerTestOneInput(const guint8 *bytes, size_t length)
{
  target->read(folder, bytes, length);
  return 0;
}
