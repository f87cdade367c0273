/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 helpers: they serialise threads, silence HDF5's error printing, and return defaults for missing items. */
#pragma once

#include <glib.h>

#include <hdf5.h>

G_BEGIN_DECLS

/* Lock and unlock around every use of HDF5 and of matio, which calls it; any thread, may be nested. Threads have their
 * turn in the order in which they asked. Also disables HDF5's error printing. */
void lac_h5_lock(void);
void lac_h5_unlock(void);
/* Gives the waiting threads their turn between two parts of long work; does nothing when locking is nested. Other
 * threads may close what they can reach: use only objects of the caller afterwards. */
void lac_h5_yield(void);
/* Returns TRUE once this process has failed to read an existing item, which means that a file is damaged. */
gboolean lac_h5_has_failed(void);

/* Write attributes. Texts are variable-length UTF-8. Return: FALSE on failure. */
gboolean lac_h5_put_text(hid_t object, const char *name, const char *text);
gboolean lac_h5_put_integer(hid_t object, const char *name, gint64 value);
gboolean lac_h5_put_unsigned(hid_t object, const char *name, guint64 value);
gboolean lac_h5_put_real(hid_t object, const char *name, double value);

/* Creates a group that lists its members in creation order. Returns: negative on failure. */
hid_t lac_h5_group(hid_t parent, const char *name);
/* Closes a group. @group: may be negative. Returns: @done; FALSE on failure. */
gboolean lac_h5_close_group(hid_t group, gboolean done);

/* Writes a complete data set; yields between the slices of a large one. Returns: the data set, to be closed (for attributes); negative on failure. */
hid_t lac_h5_write(hid_t          group,
                   const char    *name,
                   hid_t          type,
                   int            rank,
                   const hsize_t *sizes,
                   gconstpointer  data);
gboolean
lac_h5_write_vector(hid_t group, const char *name, hid_t type, gsize n, gconstpointer data);
/* Creates an empty data set of float32, [n][ny][nx], in which each of the @n planes is a chunk of shuffled and deflated bytes.
 * Returns: negative on failure. */
#define LAC_H5_DEFLATE_LEVEL 1
hid_t    lac_h5_make_planes(hid_t group, const char *name, gsize n, gsize ny, gsize nx);
gboolean lac_h5_write_texts(hid_t group, const char *name, char *const *texts, gsize n);

/* Return attributes; "" or @fallback for a missing one. */
char   *lac_h5_dup_text(hid_t object, const char *name);
gint64  lac_h5_get_integer(hid_t object, const char *name, gint64 fallback);
guint64 lac_h5_get_unsigned(hid_t object, const char *name);
double  lac_h5_get_real(hid_t object, const char *name, double fallback);

/* Returns TRUE when the file of @object is large enough to hold @n elements, even well compressed; FALSE: the file is
 * damaged. */
gboolean lac_h5_can_hold(hid_t object, gsize n, gsize element_size);

/* Returns the length of the first axis of a data set; 0 when it is missing. */
gsize lac_h5_get_length(hid_t group, const char *name);
/* Returns: (transfer full) (nullable): all elements, converted to @type of @element_size bytes; @n: their number.
 * Yields between the slices of a large contiguous data set. */
gpointer lac_h5_dup_vector(hid_t group, const char *name, hid_t type, gsize element_size, gsize *n);
/* Reads element @row of the first axis, with all elements of the other axes. Returns: FALSE on failure. */
gboolean lac_h5_read_row(hid_t set, hid_t type, gsize row, gpointer data);
/* Returns: (transfer full): the texts of a data set, NULL-terminated. */
char **lac_h5_dup_texts(hid_t group, const char *name, gsize *n);

/* Returns: (transfer full): the names of the members of a group in creation order, NULL-terminated. */
char **lac_h5_dup_members(hid_t group, gsize *n);

/* Returns the compound type of LacRecord, with the offsets of the struct. Close it with H5Tclose(). */
hid_t lac_h5_record_type(void);

G_END_DECLS
