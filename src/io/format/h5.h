/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 as this room uses it: one thread at a time, silent, and without exceptions to remember. */
#pragma once

#include <glib.h>

#include <hdf5.h>

G_BEGIN_DECLS

/* Around every use of HDF5 and of matio, which calls it; may be nested. Also turns off its printing of errors. */
void lac_h5_lock(void);
void lac_h5_unlock(void);
/* Whether something that is there could not be read by this process: in a sound file everything can. */
gboolean lac_h5_has_failed(void);

/* Writers. Return: FALSE when it was not written. Texts are variable-length UTF-8. */
gboolean lac_h5_put_text(hid_t object, const char *name, const char *text);
gboolean lac_h5_put_integer(hid_t object, const char *name, gint64 value);
gboolean lac_h5_put_unsigned(hid_t object, const char *name, guint64 value);
gboolean lac_h5_put_real(hid_t object, const char *name, double value);

/* A group whose members come back in the order of their making. Returns: negative when it was not made. */
hid_t lac_h5_group(hid_t parent, const char *name);

/* A whole data set. Returns: the data set, to be closed (for attributes); negative when it was not written. */
hid_t lac_h5_write(hid_t          group,
                   const char    *name,
                   hid_t          type,
                   int            rank,
                   const hsize_t *sizes,
                   gconstpointer  data);
gboolean
lac_h5_write_vector(hid_t group, const char *name, hid_t type, gsize n, gconstpointer data);
gboolean lac_h5_write_texts(hid_t group, const char *name, char *const *texts, gsize n);

/* Readers of attributes; a missing one is "" or @fallback. */
char   *lac_h5_dup_text(hid_t object, const char *name);
gint64  lac_h5_get_integer(hid_t object, const char *name, gint64 fallback);
guint64 lac_h5_get_unsigned(hid_t object, const char *name);
double  lac_h5_get_real(hid_t object, const char *name, double fallback);

/* Whether the file of @object is large enough to keep so many elements, packed as well as may be: others are damage. */
gboolean lac_h5_can_hold(hid_t object, gsize n, gsize element_size);

/* Length of the first axis of a data set; 0 when there is none. */
gsize lac_h5_get_length(hid_t group, const char *name);
/* Returns: (transfer full) (nullable): all elements, converted to @type of @element_size bytes; @n: how many. */
gpointer lac_h5_dup_vector(hid_t group, const char *name, hid_t type, gsize element_size, gsize *n);
/* Returns: (transfer full): NULL-terminated. */
char **lac_h5_dup_texts(hid_t group, const char *name, gsize *n);

/* Members of a group in the order of their making. Returns: (transfer full): NULL-terminated. */
char **lac_h5_dup_members(hid_t group, gsize *n);

/* The record as a compound, member by member at the offsets of the struct. Close with H5Tclose(). */
hid_t lac_h5_record_type(void);

G_END_DECLS
