/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are read in processes of the reader: whatever locks this process holds, from any working folder, and again
 * after the reader was killed. */
#include "helpers/folder.h"
#include "io/format/h5.h"
#include "io/helpers/sound-files.h"
#include "io/input/formats.h"

#include <glib-object.h>

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, READINGS = 12 };

static char *folder;

static void
assert_read(const char *path)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
  const LacInputArray    *found = NULL;

  g_assert_no_error(error);
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (g_str_equal(array->name, "x"))
      found = array;
  }
  g_assert_nonnull(found);
  g_assert_cmpuint(lac_input_array_get_length(found), ==, SOUND_NX);
  for (gsize i = 0; i < SOUND_NX; i++)
    g_assert_cmpfloat(found->data[i], ==, sound_value(i));
}

/* ---- locks ---- */

static struct {
  GMutex   lock;
  GCond    changed;
  gboolean is_held, is_over;
} hold;

/* Holds the lock in the other thread until it is no longer needed. */
static void
keep_holding(void)
{
  g_mutex_lock(&hold.lock);
  hold.is_held = TRUE;
  g_cond_signal(&hold.changed);
  while (!hold.is_over)
    g_cond_wait(&hold.changed, &hold.lock);
  g_mutex_unlock(&hold.lock);
}

/* GObject initialises a class under the lock for all class initialisation. */
static void
init_class(gpointer class, gpointer user_data)
{
  keep_holding();
}

static gpointer
hold_classes(gpointer user_data)
{
  const GTypeInfo about = {
    .class_size = sizeof(GObjectClass), .instance_size = sizeof(GObject), .class_init = init_class};

  g_type_class_unref(
    g_type_class_ref(g_type_register_static(G_TYPE_OBJECT, "SlowToMake", &about, 0)));
  return NULL;
}

static gpointer
hold_h5(gpointer user_data)
{
  lac_h5_lock();
  keep_holding();
  lac_h5_unlock();
  return NULL;
}

static void
read_meanwhile(GThreadFunc holder, const char *path)
{
  hold.is_held = hold.is_over = FALSE;
  GThread *thread = g_thread_new("holder", holder, NULL);

  g_mutex_lock(&hold.lock);
  while (!hold.is_held)
    g_cond_wait(&hold.changed, &hold.lock);
  g_mutex_unlock(&hold.lock);
  assert_read(path);
  g_mutex_lock(&hold.lock);
  hold.is_over = TRUE;
  g_cond_signal(&hold.changed);
  g_mutex_unlock(&hold.lock);
  g_thread_join(thread);
}

/* Decompression initialises a class. In a fork of this process it would wait forever, since no thread there releases
 * the lock. */
static void
test_class_lock(void)
{
  g_autofree char *path = sound_write_mat(folder, "packed.mat", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);

  read_meanwhile(hold_classes, path);
}

static void
test_h5_lock(void)
{
  g_autofree char *path = sound_write_h5(folder, "chunked.h5", FALSE, NULL);

  read_meanwhile(hold_h5, path);
}

static gpointer
read_often(gpointer path)
{
  for (guint i = 0; i < READINGS; i++)
    assert_read(path);
  return NULL;
}

static void
test_threads(void)
{
  g_autofree char *path = sound_write_h5(folder, "shared.h5", FALSE, NULL);
  GThread         *threads[THREADS];

  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new("reader", read_often, path);
  for (guint i = 0; i < THREADS; i++)
    g_thread_join(threads[i]);
}

/* ---- the reader ---- */

/* Returns: the process id of this process's child of that name; 0: there is none. */
static pid_t
find_child(const char *name)
{
  g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
  const char     *entry;

  while ((entry = g_dir_read_name(processes)) != NULL) {
    g_autofree char *path = g_build_filename("/proc", entry, "stat", NULL), *text = NULL;
    char             called[32];
    int              pid, parent;

    if (g_file_get_contents(path, &text, NULL, NULL) &&
        sscanf(text, "%d (%31[^)]) %*c %d", &pid, called, &parent) == 3 && parent == getpid() &&
        g_str_equal(called, name))
      return pid;
  }
  return 0;
}

static void
test_again(void)
{
  g_autofree char *path = sound_write_h5(folder, "again.h5", FALSE, NULL);

  assert_read(path);
  const pid_t first = find_child("lacuna-reader");
  g_assert_cmpint(first, >, 0);
  assert_read(path);
  g_assert_cmpint(find_child("lacuna-reader"), ==, first);
  g_assert_cmpint(kill(first, SIGKILL), ==, 0);
  for (guint i = 0; i < READINGS; i++)
    assert_read(path);
  g_assert_cmpint(find_child("lacuna-reader"), !=, first);
}

static void
test_folder(void)
{
  g_autofree char *path = sound_write_h5(folder, "near.h5", FALSE, NULL);
  g_autofree char *before = g_get_current_dir();

  assert_read(path); /* the reader is running now, and was started in another folder */
  g_assert_cmpint(chdir(folder), ==, 0);
  assert_read("near.h5");
  g_assert_cmpint(chdir(before), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/apart/reads-while-a-thread-makes-a-class", test_class_lock);
  g_test_add_func("/io/apart/reads-while-a-thread-holds-hdf5", test_h5_lock);
  g_test_add_func("/io/apart/threads-read-at-once", test_threads);
  g_test_add_func("/io/apart/a-reader-that-was-ended-is-started-again", test_again);
  g_test_add_func("/io/apart/paths-are-of-the-folder-that-is-worked-in-now", test_folder);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
