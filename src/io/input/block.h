/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partial reads of an array left in its file, for data larger than memory. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

typedef struct _LacInputBlock LacInputBlock;

/* Reads a block into @numbers, row-major in file order. Returns: FALSE when the file has changed. */
typedef gboolean (*LacInputBlockFunc)(const LacInputBlock *from,
                                      const gsize         *start,
                                      const gsize         *count,
                                      double              *numbers);

struct _LacInputBlock {
  char       *path;
  const char *format; /* LacInputFile.format, static */
  char       *name;
  guint       rank;
  gsize  sizes[LAC_INPUT_MAX_RANK]; /* in file order, slowest first; axes of length 1 removed */
  char **sets;                      /* see LacInputArray */
  guint  component, n_components;
  LacInputBlockFunc read;
  gboolean          apart; /* TRUE: read in a separate process, because the library may crash */
};

/* @array: an array whose values were left in @file */
LacInputBlock      *
lac_input_block_new(const char *path, const LacInputFile *file, const LacInputArray *array);
void lac_input_block_free(LacInputBlock *block);

/**
 * lac_input_block_read:
 * @start, @count: [rank]
 * @numbers: (out): row-major
 *
 * Any thread. Returns: FALSE with %LAC_ERROR_BAD_FILE: the file is missing, damaged or has changed.
 */
gboolean lac_input_block_read(const LacInputBlock *block,
                              const gsize         *start,
                              const gsize         *count,
                              double              *numbers,
                              GError             **error);

/* Serves the reader's job "block". @what: the block and the part to read */
gboolean lac_input_serve_block(const char *path, GVariant *what, int to);

/* Expands @start and @count to all axes of the array in the file, including those of length 1. Returns: FALSE when
 * they do not fit. */
gboolean lac_input_block_spread(
  const gsize *start,
  const gsize *count,
  guint        rank,
  const gsize *sizes, /* [n_all]: sizes of the array in the file */
  guint        n_all,
  gsize (*all)[LAC_INPUT_MAX_RANK]); /* (out) [2]: start and count for all axes */

/* Read a block from a file of one format. */
gboolean lac_input_block_read_h5(const LacInputBlock *from,
                                 const gsize         *start,
                                 const gsize         *count,
                                 double              *numbers);
gboolean lac_input_block_read_mat(const LacInputBlock *from,
                                  const gsize         *start,
                                  const gsize         *count,
                                  double              *numbers);
gboolean lac_input_block_read_npy(const LacInputBlock *from,
                                  const gsize         *start,
                                  const gsize         *count,
                                  double              *numbers);

G_END_DECLS
