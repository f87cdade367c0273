/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check sums: CRC-32C for segments of a file, 128 bits for what a large content is known by. (Names of runs use GChecksum.) */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: the Castagnoli CRC of @data continued from @crc; start with 0. Source: RFC 3720, B.4 */
guint32 lac_crc32c(guint32 crc, gconstpointer data, gsize n_bytes);

/* The same by table: what a processor without an instruction for it runs. */
guint32 lac_crc32c_portable(guint32 crc, gconstpointer data, gsize n_bytes);

/* Adds @data to what a content is known by; start with zeroes, where one piece gives MurmurHash3_x64_128 with seed 0. No
 * defence against somebody who looks for two equal ones. Source: A. Appleby, MurmurHash3 (public domain). */
void lac_hash128_add(guint64 sum[2], gconstpointer data, gsize n_bytes);

G_END_DECLS
