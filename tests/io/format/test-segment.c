/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segment files: data written is read back, whatever happened to the end of the file. */
#define _DEFAULT_SOURCE /* setrlimit */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/format/segment.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define N_SEGMENTS 40

typedef struct {
  char *folder, *path;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  fixture->folder = test_folder_new();
  fixture->path = g_build_filename(fixture->folder, "file", NULL);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  g_free(fixture->path);
  test_folder_remove(fixture->folder);
}

/* Segment i has i * 7 bytes of value i, so that its contents follow from its index. */
static void
append(LacSegmentWriter *writer, guint i)
{
  g_autofree guint8 *bytes = g_malloc(7 * i + 1);
  struct iovec       parts[] = {{bytes, 3 * i}, {bytes + 3 * i, 4 * i}};
  g_autoptr(GError)  error = NULL;

  memset(bytes, (int) i, 7 * i + 1);
  lac_segment_append(writer, i, parts, 2, &error);
  g_assert_no_error(error);
}

static void
write_all(const char *path, gsize buffer_bytes)
{
  g_autoptr(LacSegmentWriter) writer = lac_segment_writer_new(path, 0, buffer_bytes, NULL);

  g_assert_nonnull(writer);
  for (guint i = 0; i < N_SEGMENTS; i++)
    append(writer, i);
}

/* Returns: the number of complete segments at the start of the file; each is checked. */
static guint
count(const char *path)
{
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(path, NULL);
  LacSegment                  segment;
  guint                       n = 0;

  g_assert_nonnull(reader);
  while (lac_segment_reader_next(reader, &segment)) {
    g_assert_cmpuint(segment.type, ==, n);
    g_assert_cmpuint(segment.length, ==, 7 * n);
    for (gsize k = 0; k < segment.length; k++)
      g_assert_cmpuint(segment.payload[k], ==, n);
    n++;
  }
  return n;
}

static void
test_round_trip(Fixture *fixture, gconstpointer data)
{
  const gsize buffers[] = {64, 200, 65536}; /* all larger than the buffer, some, none */

  for (gsize i = 0; i < G_N_ELEMENTS(buffers); i++) {
    write_all(fixture->path, buffers[i]);
    g_assert_cmpuint(count(fixture->path), ==, N_SEGMENTS);
  }
}

/* Returns byte @k of segment @i, distinct from its neighbours. */
static guint8
long_byte(guint i, gsize k)
{
  return (guint8) (k * 31 + k / 251 + i * 7);
}

/* Lengths around the reader's piece size, so that headers and payloads lie on both sides of and across its
 * boundaries. Reads in order, then in another order. */
static void
test_long_ones(Fixture *fixture, gconstpointer data)
{
  static const gsize          lengths[] = {65536, 0,     65512, 17,     65487, 65535, 3,
                                           65537, 65513, 1,     200000, 65536, 31,    65464};
  g_autoptr(LacSegmentWriter) writer = lac_segment_writer_new(fixture->path, 0, 4096, NULL);
  g_autofree guint8          *bytes = g_malloc(200000);
  guint64                     offsets[G_N_ELEMENTS(lengths)];
  LacSegment                  segment;

  for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
    struct iovec      part = {bytes, lengths[i]};
    g_autoptr(GError) error = NULL;
    for (gsize k = 0; k < lengths[i]; k++)
      bytes[k] = long_byte(i, k);
    lac_segment_append(writer, i, &part, 1, &error);
    g_assert_no_error(error);
  }
  g_clear_pointer(&writer, lac_segment_writer_free);
  g_autoptr(LacSegmentReader) reader = lac_segment_reader_new(fixture->path, NULL);
  for (guint turn = 0; turn < 2 * G_N_ELEMENTS(lengths); turn++) {
    guint i = turn;
    if (turn >= G_N_ELEMENTS(lengths)) { /* 5 is coprime to their number */
      i = turn * 5 % G_N_ELEMENTS(lengths);
      lac_segment_reader_seek(reader, offsets[i]);
    }
    g_assert_true(lac_segment_reader_next(reader, &segment));
    offsets[i] = segment.offset;
    g_assert_cmpuint(segment.type, ==, i);
    g_assert_cmpuint(segment.length, ==, lengths[i]);
    for (gsize k = 0; k < lengths[i]; k++)
      g_assert_cmpuint(segment.payload[k], ==, long_byte(i, k));
  }
}

static void
test_truncated_anywhere(Fixture *fixture, gconstpointer data)
{
  GStatBuf about;
  guint    last = 0;

  write_all(fixture->path, 65536);
  g_assert_cmpint(g_stat(fixture->path, &about), ==, 0);
  for (off_t length = about.st_size; length >= 0; length--) {
    g_assert_cmpint(truncate(fixture->path, length), ==, 0);
    guint n = count(fixture->path);
    g_assert_true(length == about.st_size || n <= last);
    last = n;
  }
  g_assert_cmpuint(last, ==, 0);
}

static void
test_flipped_bits(Fixture *fixture, gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize            length;

  write_all(fixture->path, 65536);
  g_assert_true(g_file_get_contents(fixture->path, &bytes, &length, NULL));
  for (guint i = 0; i < 500; i++) {
    gsize at = (gsize) g_test_rand_int_range(0, (gint32) length);
    char  bit = (char) (1 << g_test_rand_int_range(0, 8));

    bytes[at] ^= bit;
    g_assert_true(g_file_set_contents(fixture->path, bytes, (gssize) length, NULL));
    count(fixture->path); /* all segments read must equal those written */
    bytes[at] ^= bit;
  }
}

static void
test_cut_back_and_continued(Fixture *fixture, gconstpointer data)
{
  guint64 middle = 0;
  {
    g_autoptr(LacSegmentWriter) writer = lac_segment_writer_new(fixture->path, 0, 256, NULL);
    for (guint i = 0; i < N_SEGMENTS; i++) {
      if (i == 20)
        middle = lac_segment_writer_get_offset(writer);
      append(writer, i);
    }
  }
  {
    g_autoptr(LacSegmentWriter) writer = lac_segment_writer_new(fixture->path, middle, 256, NULL);
    g_assert_cmpuint(count(fixture->path), ==, 20);
    for (guint i = 20; i < 30; i++)
      append(writer, i);
  }
  g_assert_cmpuint(count(fixture->path), ==, 30);
}

static void
test_full_disk(Fixture *fixture, gconstpointer data)
{
  struct rlimit               before, small;
  g_autoptr(GError)           error = NULL;
  g_autoptr(LacSegmentWriter) writer = lac_segment_writer_new(fixture->path, 0, 100, NULL);
  guint                       n = 0;

  signal(SIGXFSZ, SIG_IGN);
  g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 1000;
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
  while (error == NULL) {
    guint8       bytes[7 * N_SEGMENTS];
    struct iovec part = {bytes, 7 * n};
    memset(bytes, (int) n, sizeof bytes);
    if (lac_segment_append(writer, n, &part, 1, &error) && lac_segment_flush(writer, &error))
      n++;
  }
  g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_DISK_FULL);
  g_assert_nonnull(strstr(error->message, fixture->folder));
  g_assert_cmpuint(n, >, 3);
  g_assert_cmpuint(count(fixture->path), ==, n);

  /* with space available, writing continues normally */
  append(writer, n);
  g_clear_pointer(&writer, lac_segment_writer_free);
  g_assert_cmpuint(count(fixture->path), ==, n + 1);
}

static void
test_unwritable(Fixture *fixture, gconstpointer data)
{
  g_autofree char  *inside = g_build_filename(fixture->path, "deeper", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_true(g_file_set_contents(fixture->path, "", 0, NULL));
  g_assert_null(lac_segment_writer_new(inside, 0, 64, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
#define ADD(name, function) \
  g_test_add("/io/segment/" name, Fixture, NULL, set_up, function, tear_down)
  ADD("comes-back-with-any-buffer", test_round_trip);
  ADD("long-ones-come-back-in-any-order", test_long_ones);
  ADD("truncated-anywhere-keeps-what-is-whole", test_truncated_anywhere);
  ADD("flipped-bits-are-never-handed-over", test_flipped_bits);
  ADD("cut-back-and-continued", test_cut_back_and_continued);
  ADD("full-disk-keeps-what-is-there", test_full_disk);
  ADD("unwritable-place-is-a-sentence", test_unwritable);
  return g_test_run();
}
