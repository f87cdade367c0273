/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files of every kind with more in them than one buffer of a library: x, t, and a field over them. */
#pragma once

#include <glib.h>

#include <matio.h>

G_BEGIN_DECLS

#define SOUND_NX 40
#define SOUND_NT 30
#define SOUND_N  (SOUND_NX * SOUND_NT)

/* Number @i of every array, the slowest axis of the file first. */
double sound_value(gsize i);

/* Not through a temporary name: nothing here needs to survive. */
void sound_write_bytes(const char *path, gconstpointer bytes, gsize n);

/* Each returns: (transfer full): the path. */

/* x, t and usol of doubles, u of floats, k of integers with 16 bits. */
char *sound_write_mat(const char            *folder,
                      const char            *name,
                      enum mat_ft            version,
                      enum matio_compression packing);
/* u of floats in chunks of 16 x 16; @gap: only the first of them is written. @fill: (nullable): what the set says of the rest */
char *sound_write_h5(const char *folder, const char *name, gboolean gap, const double *fill);
char *sound_write_npy(const char *folder, const char *name);

/* MAT 5 with a vector v of doubles: @n_reported numbers by its dimensions, @n by its data. @big: byte order */
void sound_write_mat_by_hand(const char *path, gboolean big, guint n_reported, guint n);

G_END_DECLS
