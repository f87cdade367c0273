/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content cache: bitwise reading, damage detection, size limit, silent failure. */
#include "helpers/folder.h"
#include "io/format/content-cache.h"

#include <glib/gstdio.h>

#include <string.h>

typedef struct {
  char            *parent, *folder;
  LacContentCache *cache;
} Subject;

static void
subject_init(Subject *subject, guint64 most)
{
  subject->parent = test_folder_new();
  subject->folder = g_build_filename(subject->parent, "content", NULL);
  subject->cache = lac_content_cache_new(subject->folder, most);
}

/* Returns: (transfer full): the paths of all files in the folder. */
static GPtrArray *
list_files(const Subject *subject)
{
  GPtrArray      *paths = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GDir) folder = g_dir_open(subject->folder, 0, NULL);
  const char     *name;

  while (folder && (name = g_dir_read_name(folder)))
    g_ptr_array_add(paths, g_build_filename(subject->folder, name, NULL));
  return paths;
}

static void
subject_clear(Subject *subject)
{
  lac_content_cache_unref(subject->cache);
  g_free(subject->folder);
  test_folder_remove(subject->parent);
}

static GBytes *
make_bytes(guint8 first, gsize n)
{
  guint8 *bytes = g_malloc(n);

  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8) (first + i * 7);
  return g_bytes_new_take(bytes, n);
}

static void
assert_recalled(Subject *subject, const char *key, GBytes *wanted)
{
  guint64 asked, had, asked_then, had_then;

  lac_content_cache_get_counts(subject->cache, &asked, &had);
  g_autoptr(GBytes) found = lac_content_cache_recall(subject->cache, key);
  lac_content_cache_get_counts(subject->cache, &asked_then, &had_then);
  g_assert_cmpuint(asked_then, ==, asked + 1);
  g_assert_cmpuint(had_then, ==, had + (wanted != NULL));

  if (!wanted)
    g_assert_null(found);
  else
    g_assert_true(found && g_bytes_equal(found, wanted));
}

static void
test_round_trip(void)
{
  g_autoptr(GBytes) first = make_bytes(1, 5000), second = make_bytes(2, 3), none = make_bytes(0, 0);
  g_autoptr(GBytes) found = NULL;
  Subject           subject;

  subject_init(&subject, 0);
  assert_recalled(&subject, "a", NULL);
  lac_content_cache_remember(subject.cache, "a", first);
  lac_content_cache_remember(subject.cache, "b", second);
  lac_content_cache_remember(subject.cache, "nothing", none);
  assert_recalled(&subject, "a", first);
  assert_recalled(&subject, "b", second);
  assert_recalled(&subject, "nothing", none);
  assert_recalled(&subject, "c", NULL);
  found = lac_content_cache_recall(subject.cache, "a");
  g_assert_cmpuint((gsize) g_bytes_get_data(found, NULL) % 16, ==, 0);
  lac_content_cache_remember(subject.cache, "a", second);
  assert_recalled(&subject, "a", second);
  subject_clear(&subject);
}

/* Damages every byte of the file, and truncates it to every length. */
static void
test_damage(void)
{
  g_autoptr(GBytes)    bytes = make_bytes(3, 40);
  g_autoptr(GPtrArray) paths = NULL;
  g_autofree char     *whole = NULL;
  const char          *path;
  gsize                length;
  Subject              subject;

  subject_init(&subject, 0);
  lac_content_cache_remember(subject.cache, "key", bytes);
  paths = list_files(&subject);
  g_assert_cmpuint(paths->len, ==, 1);
  path = paths->pdata[0];
  g_assert_true(g_file_get_contents(path, &whole, &length, NULL));
  for (gsize i = 0; i < length; i++) {
    const gboolean in_pad = i >= 56 && i < 64; /* padding that is not read */

    whole[i] ^= 0x10;
    g_assert_true(g_file_set_contents(path, whole, (gssize) length, NULL));
    assert_recalled(&subject, "key", in_pad ? bytes : NULL);
    whole[i] ^= 0x10;
    g_assert_true(g_file_set_contents(path, whole, (gssize) i, NULL));
    assert_recalled(&subject, "key", NULL);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
  }
  lac_content_cache_remember(subject.cache, "key", bytes);
  assert_recalled(&subject, "key", bytes);
  subject_clear(&subject);
}

/* Five entries of a fifth of the limit: headers leave no space for the last, so the least recently used one is
 * evicted. */
static void
test_limit(void)
{
  static const char *const keys[] = {"0", "1", "2", "3", "4"};
  g_autoptr(GBytes)        bytes = make_bytes(4, 20000), large = make_bytes(5, 26000);
  guint64                  held = 0;
  g_autoptr(GPtrArray)     paths = NULL;
  Subject                  subject;

  subject_init(&subject, 100000);
  for (guint i = 0; i < 4; i++) {
    lac_content_cache_remember(subject.cache, keys[i], bytes);
    g_usleep(20000); /* longer than the resolution of file times */
  }
  assert_recalled(&subject, "0", bytes);
  g_usleep(20000);
  lac_content_cache_remember(subject.cache, keys[4], bytes);
  assert_recalled(&subject, "1", NULL);
  for (guint i = 0; i < 5; i++)
    if (i != 1)
      assert_recalled(&subject, keys[i], bytes);
  lac_content_cache_remember(subject.cache, "large", large);
  assert_recalled(&subject, "large", NULL);
  paths = list_files(&subject);
  for (guint i = 0; i < paths->len; i++) {
    GStatBuf facts;

    g_assert_cmpint(g_stat(paths->pdata[i], &facts), ==, 0);
    held += (guint64) facts.st_size;
  }
  g_assert_cmpuint(paths->len, ==, 4);
  g_assert_cmpuint(held, <=, 100000);
  subject_clear(&subject);
}

/* A file exists at the path of the folder. */
static void
test_unwritable(void)
{
  g_autoptr(GBytes) bytes = make_bytes(6, 10);
  Subject           subject;

  subject_init(&subject, 0);
  g_assert_true(g_file_set_contents(subject.folder, "x", 1, NULL));
  lac_content_cache_remember(subject.cache, "key", bytes);
  assert_recalled(&subject, "key", NULL);
  g_unlink(subject.folder);
  subject_clear(&subject);
}

static gpointer
write_and_read(gpointer data)
{
  Subject *subject = data;

  for (guint8 i = 0; i < 100; i++) {
    g_autoptr(GBytes) bytes = make_bytes(7, 3000), found = NULL;

    lac_content_cache_remember(subject->cache, "shared", bytes);
    found = lac_content_cache_recall(subject->cache, "shared");
    g_assert_true(found && g_bytes_equal(found, bytes));
  }
  return NULL;
}

static void
test_together(void)
{
  GThread *threads[3];
  Subject  subject;

  subject_init(&subject, 0);
  for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
    threads[i] = g_thread_new("cache", write_and_read, &subject);
  for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
    g_thread_join(threads[i]);
  subject_clear(&subject);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/content-cache/what-is-remembered-comes-back", test_round_trip);
  g_test_add_func("/io/content-cache/a-damaged-entry-is-none", test_damage);
  g_test_add_func("/io/content-cache/the-least-used-entry-makes-room", test_limit);
  g_test_add_func("/io/content-cache/a-folder-that-cannot-be-made-is-no-error", test_unwritable);
  g_test_add_func("/io/content-cache/threads-never-see-half-an-entry", test_together);
  return g_test_run();
}
