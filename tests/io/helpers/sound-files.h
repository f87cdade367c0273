/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files of all kinds, larger than one buffer of a library: x, t, and a field over them. */
#pragma once

#include <glib.h>

#include <matio.h>

G_BEGIN_DECLS

#define SOUND_NX 40
#define SOUND_NT 30
#define SOUND_N  (SOUND_NX * SOUND_NT)

/* Returns element @i of every array, with the slowest axis of the file first. */
double sound_value(gsize i);

/* Writes without a temporary name: durability is not needed here. */
void sound_write_bytes(const char *path, gconstpointer bytes, gsize n);

/* Each returns: (transfer full): the path. */

/* Writes x, t and usol of doubles, u of floats, k of 16-bit integers. */
char *sound_write_mat(const char            *folder,
                      const char            *name,
                      enum mat_ft            version,
                      enum matio_compression packing);
/* Writes u of floats in chunks of 16 x 16; @gap: only the first chunk is written. @fill: (nullable): the set's fill
 * value */
char *sound_write_h5(const char *folder, const char *name, gboolean gap, const double *fill);
char *sound_write_npy(const char *folder, const char *name);

/* Writes MAT 5 with a vector v of doubles: @n_reported elements by its dimensions, @n by its data. @big: byte order */
void sound_write_mat_by_hand(const char *path, gboolean big, guint n_reported, guint n);

G_END_DECLS
