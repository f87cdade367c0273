/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every reader on its former failures and on mutated intact files: none may crash, hang or report an internal error.
 * Longer runs: the fuzzers of this folder (CONTRIBUTING.md). */
#include "target.h"

#include "helpers/folder.h"

#include <string.h>
#include <unistd.h>

#define HANG_SECONDS 60

static guint
draw(guint n)
{
  return n > 0 ? (guint) g_test_rand_int_range(0, (gint32) n) : 0;
}

/* Appends bytes that are hard on readers: integer limits, separators, non-numbers. */
static void
put_odd(GByteArray *bytes, guint at)
{
  static const char *const odd[] = {"\xff\xff\xff\xff",
                                    "\x80",
                                    "\x7f\xff",
                                    "\n",
                                    ",",
                                    "\"",
                                    "%",
                                    "1e999",
                                    "nan",
                                    "-",
                                    "@ t=",
                                    "\xff\xff\xff\xff\xff\xff\xff\x7f",
                                    "(",
                                    "0x"};
  const char              *piece = odd[draw(G_N_ELEMENTS(odd))];
  const guint              n = MIN((guint) strlen(piece), bytes->len - at);

  memcpy(bytes->data + at, piece, n);
}

static void
mutate(GByteArray *bytes)
{
  const guint n = 1 + draw(6);

  for (guint i = 0; i < n && bytes->len > 0; i++) {
    const guint at = draw(bytes->len), length = 1 + draw(MIN(bytes->len - at, 64));

    switch (draw(7)) {
    case 0: bytes->data[at] ^= (guint8) (1u << draw(8)); break;
    case 1: bytes->data[at] = (guint8) draw(256); break;
    case 2: memset(bytes->data + at, 0, MIN(length, 8)); break;
    case 3: g_byte_array_remove_range(bytes, at, length); break;
    case 4: {
      g_autofree guint8 *piece = g_memdup2(bytes->data + at, length);
      g_byte_array_append(bytes, piece, length);
      break;
    }
    case 5: g_byte_array_set_size(bytes, bytes->len - draw(MIN(bytes->len, 32))); break;
    default: put_odd(bytes, at); break;
    }
  }
}

static void
read_corpus(const FuzzTarget *target, const char *folder)
{
  g_autofree char *place =
    g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "tests", "fuzz", "corpus", target->name, NULL);
  g_autoptr(GDir) directory = g_dir_open(place, 0, NULL);
  const char     *name;

  while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
    g_autofree char *path = g_build_filename(place, name, NULL), *text = NULL;
    gsize            length;

    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    alarm(HANG_SECONDS);
    target->read(folder, (const guint8 *) text, length);
  }
}

static void
test_target(gconstpointer data)
{
  const FuzzTarget    *target = data;
  char                *folder = test_folder_new(), *nursery = test_folder_new();
  g_autoptr(GPtrArray) seeds = target->seeds(nursery);

  read_corpus(target, folder);
  for (guint i = 0; i < target->n_tries; i++) {
    const GByteArray     *seed = seeds->pdata[i % seeds->len];
    g_autoptr(GByteArray) bytes = g_byte_array_append(g_byte_array_new(), seed->data, seed->len);

    if (i >= seeds->len) /* intact files first */
      mutate(bytes);
    alarm(HANG_SECONDS);
    target->read(folder, bytes->data, bytes->len);
  }
  alarm(0);
  test_folder_remove(folder);
  test_folder_remove(nursery);
}

int
main(int argc, char **argv)
{
  gsize             n;
  const FuzzTarget *targets = fuzz_targets(&n);

  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("/fuzz/%s/neither-crashes-nor-hangs", targets[i].name);
    g_test_add_data_func(name, &targets[i], test_target);
  }
  return g_test_run();
}
