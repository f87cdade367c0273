/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 helpers: one thread at a time, no printed errors, no surprises with missing items. */
#pragma once

#include <glib.h>

#include <hdf5.h>

G_BEGIN_DECLS

/* Lock and unlock around every use of HDF5 and of matio, which calls it; may be nested. Also disables HDF5's error
 * printing. */
void lac_h5_lock(void);
void lac_h5_unlock(void);
/* Returns TRUE when an existing item could not be read by this process; that never happens in an undamaged file. */
gboolean lac_h5_has_failed(void);

/* Writers. Return: FALSE on failure. Texts are variable-length UTF-8. */
gboolean lac_h5_put_text(hid_t object, const char *name, const char *text);
gboolean lac_h5_put_integer(hid_t object, const char *name, gint64 value);
gboolean lac_h5_put_unsigned(hid_t object, const char *name, guint64 value);
gboolean lac_h5_put_real(hid_t object, const char *name, double value);

/* Creates a group that lists its members in creation order. Returns: negative on failure. */
hid_t lac_h5_group(hid_t parent, const char *name);

/* Writes a complete data set. Returns: the data set, to be closed (for attributes); negative on failure. */
hid_t lac_h5_write(hid_t          group,
                   const char    *name,
                   hid_t          type,
                   int            rank,
                   const hsize_t *sizes,
                   gconstpointer  data);
gboolean
lac_h5_write_vector(hid_t group, const char *name, hid_t type, gsize n, gconstpointer data);
gboolean lac_h5_write_texts(hid_t group, const char *name, char *const *texts, gsize n);

/* Read attributes; a missing one is "" or @fallback. */
char   *lac_h5_dup_text(hid_t object, const char *name);
gint64  lac_h5_get_integer(hid_t object, const char *name, gint64 fallback);
guint64 lac_h5_get_unsigned(hid_t object, const char *name);
double  lac_h5_get_real(hid_t object, const char *name, double fallback);

/* Returns TRUE when the file of @object is large enough for so many elements, even if well compressed: otherwise it
 * is damaged. */
gboolean lac_h5_can_hold(hid_t object, gsize n, gsize element_size);

/* Returns the length of the first axis of a data set; 0 when it is missing. */
gsize lac_h5_get_length(hid_t group, const char *name);
/* Returns: (transfer full) (nullable): all elements, converted to @type of @element_size bytes; @n: their number. */
gpointer lac_h5_dup_vector(hid_t group, const char *name, hid_t type, gsize element_size, gsize *n);
/* Returns: (transfer full): NULL-terminated. */
char **lac_h5_dup_texts(hid_t group, const char *name, gsize *n);

/* Returns: (transfer full): NULL-terminated: the members of a group in creation order. */
char **lac_h5_dup_members(hid_t group, gsize *n);

/* Returns LacRecord as a compound type with the struct's offsets. Close with H5Tclose(). */
hid_t lac_h5_record_type(void);

G_END_DECLS
