/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that HDF5 does not provide: unwritten elements of a data set, and truncated files. Source: HDF5 File Format
 * Specification 3.0, II.A (superblock); H5D_READ and H5P_SET_FILL_VALUE of the reference manual */
#include "io/input/h5-numbers.h"

#include "io/input/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  int     rank;
  hsize_t start[H5S_MAX_RANK], count[H5S_MAX_RANK];
} Block;

static hsize_t
get_length(const Block *block)
{
  hsize_t n = 1;

  for (int i = 0; i < block->rank; i++)
    n *= block->count[i];
  return n;
}

static void
fill_nan(double *numbers, hsize_t n)
{
  for (hsize_t i = 0; i < n; i++)
    numbers[i] = NAN;
}

/* Moves @at to the next point of a grid of @sizes, excluding the last axis. Returns: FALSE after the last one. */
static gboolean
step(hsize_t *at, const hsize_t *sizes, int n)
{
  while (n-- > 0) {
    if (++at[n] < sizes[n])
      return TRUE;
    at[n] = 0;
  }
  return FALSE;
}

/* @numbers: values of @block; @part: lies within it. */
static void
clear_part(const Block *block, const Block *part, double *numbers)
{
  const int last = block->rank - 1;
  hsize_t   at[H5S_MAX_RANK] = {0};

  do {
    hsize_t place = 0;

    for (int i = 0; i < block->rank; i++)
      place = place * block->count[i] + part->start[i] - block->start[i] + at[i];
    fill_nan(numbers + place, part->count[last]);
  } while (step(at, part->count, last));
}

static gboolean
has_chunk(hid_t set, const hsize_t *corner)
{
  hsize_t n_bytes = 0;

  return H5Dget_chunk_storage_size(set, corner, &n_bytes) >= 0 && n_bytes > 0;
}

/* Clears the unwritten chunks that @block touches. */
static void
clear_missing_chunks(hid_t set, const hsize_t *edges, const Block *block, double *numbers)
{
  hsize_t at[H5S_MAX_RANK] = {0}, n_chunks[H5S_MAX_RANK];

  for (int i = 0; i < block->rank; i++)
    n_chunks[i] =
      (block->start[i] + block->count[i] - 1) / edges[i] - block->start[i] / edges[i] + 1;
  do {
    hsize_t corner[H5S_MAX_RANK];
    Block   part = {block->rank, {0}, {0}};

    for (int i = 0; i < block->rank; i++) {
      corner[i] = (block->start[i] / edges[i] + at[i]) * edges[i];
      part.start[i] = MAX(corner[i], block->start[i]);
      part.count[i] = MIN(corner[i] + edges[i], block->start[i] + block->count[i]) - part.start[i];
    }
    if (!has_chunk(set, corner))
      clear_part(block, &part, numbers);
  } while (step(at, n_chunks, block->rank));
}

static void
clear_unwritten(hid_t set, const Block *block, double *numbers)
{
  hid_t              making = H5Dget_create_plist(set);
  H5D_fill_value_t   fill = H5D_FILL_VALUE_ERROR;
  H5D_space_status_t space = H5D_SPACE_STATUS_ALLOCATED;
  hsize_t            edges[H5S_MAX_RANK];

  H5Pfill_value_defined(making, &fill);
  H5Dget_space_status(set, &space);
  if (fill == H5D_FILL_VALUE_USER_DEFINED) {
    H5Pclose(making);
    return;
  }
  if (H5Pget_layout(making) == H5D_CHUNKED &&
      H5Pget_chunk(making, H5S_MAX_RANK, edges) == block->rank)
    clear_missing_chunks(set, edges, block, numbers);
  else if (H5Pget_layout(making) == H5D_CONTIGUOUS && space == H5D_SPACE_STATUS_NOT_ALLOCATED)
    fill_nan(numbers, get_length(block));
  H5Pclose(making);
}

gboolean
lac_h5_read_numbers(hid_t set, const hsize_t *start, const hsize_t *count, double *numbers)
{
  hid_t    space = H5Dget_space(set);
  Block    block = {H5Sget_simple_extent_ndims(space), {0}, {0}};
  gboolean good = block.rank >= 0 && H5Sget_simple_extent_dims(space, block.count, NULL) >= 0;

  if (good && start != NULL) {
    memcpy(block.start, start, (gsize) block.rank * sizeof *start);
    memcpy(block.count, count, (gsize) block.rank * sizeof *count);
    good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
  }
  const hsize_t n = good ? get_length(&block) : 0;
  hid_t         memory = n > 0 ? H5Screate_simple(1, &n, NULL) : H5I_INVALID_HID;
  fill_nan(numbers, n);
  good = memory >= 0 && H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
  if (good)
    clear_unwritten(set, &block, numbers);
  if (memory >= 0)
    H5Sclose(memory);
  H5Sclose(space);
  return good;
}

/* ---- files that are too short ---- */

/* Returns: the end of file stored in the superblock; 0 when the superblock is incomplete. */
static guint64
get_announced(FILE *stream)
{
  guint8 head[96];

  for (long base = 0; fseek(stream, base, SEEK_SET) == 0; base = base == 0 ? 512 : 2 * base) {
    const gsize n = fread(head, 1, sizeof head, stream);

    if (n < 16)
      return 0;
    if (memcmp(head, "\x89HDF\r\n\x1a\n", 8) != 0)
      continue;
    /* the version determines the offset of the address size; the end-of-file address is the third one */
    const guint version = head[8], n_address = version < 2 ? head[13] : head[9];
    const gsize at = (version == 0 ? 24u : version == 1 ? 28u : 12u) + 2 * n_address;
    guint64     end = 0;
    if (n_address > 8 || at + n_address > n)
      return 0;
    for (gsize i = n_address; i-- > 0;)
      end = end << 8 | head[at + i];
    return end;
  }
  return 0;
}

gboolean
lac_h5_is_truncated(const char *path, const char *format, GError **error)
{
  FILE         *stream = fopen(path, "rbe");
  const guint64 announced = stream != NULL ? get_announced(stream) : 0;
  struct stat   about;
  gboolean      truncated =
    announced > 0 && fstat(fileno(stream), &about) == 0 && (guint64) about.st_size < announced;

  if (truncated)
    lac_input_set_truncated(error, path, format, (guint64) about.st_size, announced);
  if (stream != NULL)
    fclose(stream);
  return truncated;
}
