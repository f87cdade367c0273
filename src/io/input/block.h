/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of one array that was left in its file, for what is larger than memory. */
#pragma once

#include "io/input/formats.h"

G_BEGIN_DECLS

typedef struct _LacInputBlock LacInputBlock;

/* Reads the block into @numbers, row-major in the order of the file. Returns: FALSE where the file is not as it was. */
typedef gboolean (*LacInputBlockFunc)(const LacInputBlock *from,
                                      const gsize         *start,
                                      const gsize         *count,
                                      double              *numbers);

struct _LacInputBlock {
  char             *path;
  const char       *format; /* of LacInputFile */
  char             *name;
  guint             rank;
  gsize             sizes[LAC_INPUT_MAX_RANK]; /* slowest first in the file, none of them 1 */
  char            **sets;                      /* as in LacInputArray */
  guint             component, n_components;
  LacInputBlockFunc read;
  gboolean          apart; /* by a library, which may crash */
};

/* @array: one that is left of @file */
LacInputBlock      *
lac_input_block_new(const char *path, const LacInputFile *file, const LacInputArray *array);
void lac_input_block_free(LacInputBlock *block);

/**
 * lac_input_block_read:
 * @start, @count: [rank]
 * @numbers: (out): row-major
 *
 * Any thread. Returns: FALSE with %LAC_ERROR_BAD_FILE: the file is gone, damaged or another.
 */
gboolean lac_input_block_read(const LacInputBlock *block,
                              const gsize         *start,
                              const gsize         *count,
                              double              *numbers,
                              GError             **error);

/* The job "block" of the reader. @what: the block and which part of it */
gboolean lac_input_serve_block(const char *path, GVariant *what, int to);

/* Spreads @start and @count over all axes of the array as the file has them, those of length 1 too.
 * Returns: FALSE where they do not fit. */
gboolean lac_input_block_spread(const gsize *start,
                                const gsize *count,
                                guint        rank,
                                const gsize *sizes, /* [n_all]: of the file */
                                guint        n_all,
                                gsize (*all)[LAC_INPUT_MAX_RANK]); /* [2]: start and count */

/* Each of one format. */
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
