/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check sums: CRC-32C for file segments, a 128-bit hash to identify large contents. (Names of runs use GChecksum.) */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: the Castagnoli CRC of @data continued from @crc; start with 0. Source: RFC 3720, B.4 */
guint32 lac_crc32c(guint32 crc, gconstpointer data, gsize n_bytes);

/* Does the same from a table, for processors without a CRC instruction. */
guint32 lac_crc32c_portable(guint32 crc, gconstpointer data, gsize n_bytes);

/* Adds the piece @data to the 128-bit content hash @sum, initially {0, 0}. The hash of a single piece is its
 * MurmurHash3_x64_128 with seed 0. Not collision-resistant against an attacker. Source: A. Appleby, MurmurHash3
 * (public domain). */
void lac_hash128_add(guint64 sum[2], gconstpointer data, gsize n_bytes);

G_END_DECLS
