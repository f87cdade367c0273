/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 helpers: one thread at a time, no printed errors. */
#include "io/format/h5.h"

#include "perf/recorder/record.h"

#include <pthread.h>
#include <string.h>

/* Fixed-length texts, as other programs write them. */
#define MAX_FIXED_TEXT 1024

/* Arrays are written and read in slices of about this size, between which other threads have their turn: about 1 ms. */
#define SLICE_BYTES ((gsize) 1 << 20)

/* Threads have their turn in the order in which they asked. With a plain mutex, a thread that unlocks it between two
 * slices mostly locks it again before any waiting thread wakes. */
static struct {
  pthread_mutex_t mutex; /* protects the other members */
  pthread_cond_t  turn;
  guint64         n_asked, n_done; /* the thread that asked as number n_done has its turn */
  GThread        *owner;           /* (nullable) */
  guint           depth;           /* of nested locking by @owner */
} lock = {.mutex = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_COND_INITIALIZER};

static gboolean has_failed; /* protected by the lock */

void
lac_h5_lock(void)
{
  pthread_mutex_lock(&lock.mutex);
  if (lock.owner != g_thread_self()) {
    const guint64 number = lock.n_asked++;
    while (lock.n_done != number)
      pthread_cond_wait(&lock.turn, &lock.mutex);
    lock.owner = g_thread_self();
  }
  lock.depth++;
  pthread_mutex_unlock(&lock.mutex);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* Clears the error stack: it holds objects open for the life of the thread, and HDF5 cannot close at exit while a
 * dead thread's objects are open. */
void
lac_h5_unlock(void)
{
  H5Eclear2(H5E_DEFAULT);
  pthread_mutex_lock(&lock.mutex);
  if (--lock.depth == 0) {
    lock.owner = NULL;
    lock.n_done++;
    pthread_cond_broadcast(&lock.turn);
  }
  pthread_mutex_unlock(&lock.mutex);
}

void
lac_h5_yield(void)
{
  pthread_mutex_lock(&lock.mutex);
  const gboolean is_wanted = lock.depth == 1 && lock.n_asked > lock.n_done + 1;
  pthread_mutex_unlock(&lock.mutex);
  if (!is_wanted)
    return;
  lac_h5_unlock();
  lac_h5_lock();
}

gboolean
lac_h5_has_failed(void)
{
  return has_failed;
}

static hid_t
text_type(void)
{
  hid_t type = H5Tcopy(H5T_C_S1);

  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static gboolean
put_scalar(hid_t object, const char *name, hid_t type, gconstpointer value)
{
  hid_t    space = H5Screate(H5S_SCALAR);
  hid_t    attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  gboolean done = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;

  if (attribute >= 0)
    done &= H5Aclose(attribute) >= 0;
  H5Sclose(space);
  return done;
}

gboolean
lac_h5_put_text(hid_t object, const char *name, const char *text)
{
  hid_t       type = text_type();
  const char *value = text != NULL ? text : "";
  gboolean    done = put_scalar(object, name, type, &value);

  H5Tclose(type);
  return done;
}

gboolean
lac_h5_put_integer(hid_t object, const char *name, gint64 value)
{
  return put_scalar(object, name, H5T_NATIVE_INT64, &value);
}

gboolean
lac_h5_put_unsigned(hid_t object, const char *name, guint64 value)
{
  return put_scalar(object, name, H5T_NATIVE_UINT64, &value);
}

gboolean
lac_h5_put_real(hid_t object, const char *name, double value)
{
  return put_scalar(object, name, H5T_NATIVE_DOUBLE, &value);
}

hid_t
lac_h5_group(hid_t parent, const char *name)
{
  hid_t properties = H5Pcreate(H5P_GROUP_CREATE);

  H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  return group;
}

gboolean
lac_h5_close_group(hid_t group, gboolean done)
{
  return group >= 0 && H5Gclose(group) >= 0 && done;
}

/* Transfers @n rows of the first axis, from row @first on, between @set and memory: @from or @to is NULL. */
static gboolean
move_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, gconstpointer from, gpointer to)
{
  hsize_t   start[H5S_MAX_RANK] = {first}, count[H5S_MAX_RANK];
  hid_t     space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_dims(space, count, NULL);
  gboolean  done = rank > 0;

  count[0] = n;
  if (done) {
    hid_t memory = H5Screate_simple(rank, count, NULL);
    done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
           (to != NULL ? H5Dread(set, type, memory, space, H5P_DEFAULT, to)
                       : H5Dwrite(set, type, memory, space, H5P_DEFAULT, from)) >= 0;
    H5Sclose(memory);
  }
  H5Sclose(space);
  return done;
}

gboolean
lac_h5_read_row(hid_t set, hid_t type, gsize row, gpointer data)
{
  const gboolean done = move_rows(set, type, row, 1, NULL, data);

  has_failed = has_failed || !done;
  return done;
}

static gboolean
is_contiguous(hid_t set)
{
  hid_t          properties = H5Dget_create_plist(set);
  const gboolean is_plain = H5Pget_layout(properties) == H5D_CONTIGUOUS;

  H5Pclose(properties);
  return is_plain;
}

/* Transfers all elements. A slice of chunks could unpack a chunk more than once, so only contiguous data sets are
 * sliced. */
static gboolean
move_all(hid_t set, hid_t type, gconstpointer from, gpointer to)
{
  hsize_t   sizes[H5S_MAX_RANK];
  gsize     row_bytes = H5Tget_size(type);
  hid_t     space = H5Dget_space(set);
  const int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

  H5Sclose(space);
  for (int i = 1; i < rank; i++)
    row_bytes *= sizes[i];
  const hsize_t slice = MAX(SLICE_BYTES / MAX(row_bytes, 1), 1);
  if (rank < 1 || sizes[0] <= slice || !is_contiguous(set))
    return (to != NULL ? H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to)
                       : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from)) >= 0;
  for (hsize_t row = 0; row < sizes[0]; row += slice) {
    const gsize at = row * row_bytes;
    if (!move_rows(set, type, row, MIN(slice, sizes[0] - row),
                   from != NULL ? (const guint8 *) from + at : NULL,
                   to != NULL ? (guint8 *) to + at : NULL))
      return FALSE;
    lac_h5_yield();
  }
  return TRUE;
}

hid_t
lac_h5_write(hid_t          group,
             const char    *name,
             hid_t          type,
             int            rank,
             const hsize_t *sizes,
             gconstpointer  data)
{
  hid_t   space = H5Screate_simple(rank, sizes, NULL);
  hid_t   set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 1;

  for (int i = 0; i < rank; i++)
    n *= sizes[i];
  if (set >= 0 && n > 0 && !move_all(set, type, data, NULL)) {
    H5Dclose(set);
    set = H5I_INVALID_HID;
  }
  H5Sclose(space);
  return set;
}

gboolean
lac_h5_write_vector(hid_t group, const char *name, hid_t type, gsize n, gconstpointer data)
{
  hsize_t size = n;
  hid_t   set = lac_h5_write(group, name, type, 1, &size, data);

  return set >= 0 && H5Dclose(set) >= 0;
}

hid_t
lac_h5_make_planes(hid_t group, const char *name, gsize n, gsize ny, gsize nx)
{
  const hsize_t sizes[3] = {n, ny, nx}, chunk[3] = {1, MAX(ny, 1), MAX(nx, 1)};
  hid_t         space = H5Screate_simple(3, sizes, NULL);
  hid_t         properties = H5Pcreate(H5P_DATASET_CREATE);

  H5Pset_chunk(properties, 3, chunk);
  H5Pset_shuffle(properties); /* groups equal bytes of the floats */
  H5Pset_deflate(properties, LAC_H5_DEFLATE_LEVEL);
  hid_t set = H5Dcreate2(group, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Pclose(properties);
  H5Sclose(space);
  return set;
}

gboolean
lac_h5_write_texts(hid_t group, const char *name, char *const *texts, gsize n)
{
  hid_t    type = text_type();
  gboolean done = lac_h5_write_vector(group, name, type, n, texts);

  H5Tclose(type);
  return done;
}

/* Returns: an attribute with one value; negative when there is none. */
static hid_t
open_scalar(hid_t object, const char *name)
{
  if (H5Aexists(object, name) <= 0)
    return H5I_INVALID_HID;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0)
    return attribute;
  hid_t    space = H5Aget_space(attribute);
  hssize_t n = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  if (n == 1)
    return attribute;
  H5Aclose(attribute);
  return H5I_INVALID_HID;
}

char *
lac_h5_dup_text(hid_t object, const char *name)
{
  hid_t attribute = open_scalar(object, name);
  char *text = NULL;

  if (attribute < 0)
    return g_strdup("");
  hid_t type = H5Aget_type(attribute);
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
    char *value = NULL;
    if (H5Aread(attribute, type, &value) >= 0) {
      text = g_strdup(value != NULL ? value : "");
      H5free_memory(value);
    }
  } else if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) <= MAX_FIXED_TEXT) {
    char value[MAX_FIXED_TEXT + 1] = "";
    if (H5Aread(attribute, type, value) >= 0)
      text = g_strdup(value);
  }
  H5Tclose(type);
  H5Aclose(attribute);
  has_failed = has_failed || text == NULL;
  return text != NULL ? text : g_strdup("");
}

static gboolean
get_scalar(hid_t object, const char *name, hid_t type, gpointer value)
{
  hid_t attribute = open_scalar(object, name);

  if (attribute < 0)
    return FALSE;
  gboolean done = H5Aread(attribute, type, value) >= 0;
  H5Aclose(attribute);
  has_failed = has_failed || !done;
  return done;
}

gint64
lac_h5_get_integer(hid_t object, const char *name, gint64 fallback)
{
  gint64 value;

  return get_scalar(object, name, H5T_NATIVE_INT64, &value) ? value : fallback;
}

guint64
lac_h5_get_unsigned(hid_t object, const char *name)
{
  guint64 value;

  return get_scalar(object, name, H5T_NATIVE_UINT64, &value) ? value : 0;
}

double
lac_h5_get_real(hid_t object, const char *name, double fallback)
{
  double value;

  return get_scalar(object, name, H5T_NATIVE_DOUBLE, &value) ? value : fallback;
}

static hid_t
open_set(hid_t group, const char *name, gsize *n)
{
  *n = 0;
  if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
    return H5I_INVALID_HID;
  hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
  if (set < 0)
    return set;
  hid_t    space = H5Dget_space(set);
  hssize_t length = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  *n = length > 0 ? (gsize) length : 0;
  return set;
}

gsize
lac_h5_get_length(hid_t group, const char *name)
{
  gsize   n;
  hid_t   set = open_set(group, name, &n);
  hsize_t sizes[H5S_MAX_RANK] = {0};

  if (set < 0)
    return 0;
  hid_t space = H5Dget_space(set);
  if (H5Sget_simple_extent_dims(space, sizes, NULL) < 1)
    sizes[0] = 0;
  H5Sclose(space);
  H5Dclose(set);
  return (gsize) sizes[0];
}

#define MOST_PACKED 1100 /* maximum compression ratio: deflate reaches 1032 */

gboolean
lac_h5_can_hold(hid_t object, gsize n, gsize element_size)
{
  hid_t   file = H5Iget_file_id(object);
  hsize_t bytes = 0;

  if (file < 0)
    return FALSE;
  gboolean done = H5Fget_filesize(file, &bytes) >= 0;
  H5Fclose(file);
  return done && n <= G_MAXSIZE / element_size && n * element_size / MOST_PACKED <= bytes;
}

gpointer
lac_h5_dup_vector(hid_t group, const char *name, hid_t type, gsize element_size, gsize *n)
{
  hid_t    set = open_set(group, name, n);
  gpointer data = NULL;

  if (set < 0)
    return NULL;
  if (lac_h5_can_hold(set, *n, element_size))
    data = g_try_malloc0(MAX(*n, 1) * element_size);
  if (data != NULL && H5Tget_class(type) == H5T_FLOAT)
    memset(data, 0xff, *n * element_size); /* NaN */
  if (data != NULL && *n > 0 && !move_all(set, type, NULL, data))
    g_clear_pointer(&data, g_free);
  if (data == NULL) {
    *n = 0;
    has_failed = TRUE;
  }
  H5Dclose(set);
  return data;
}

char **
lac_h5_dup_texts(hid_t group, const char *name, gsize *n)
{
  hid_t  type = text_type();
  char **raw = lac_h5_dup_vector(group, name, type, sizeof(char *), n);
  char **texts = g_new0(char *, *n + 1);

  for (gsize i = 0; i < *n; i++) {
    texts[i] = g_strdup(raw[i] != NULL ? raw[i] : "");
    H5free_memory(raw[i]);
  }
  g_free(raw);
  H5Tclose(type);
  return texts;
}

static herr_t
collect_member(hid_t group, const char *name, const H5L_info_t *info, gpointer names)
{
  g_ptr_array_add(names, g_strdup(name));
  return 0;
}

char **
lac_h5_dup_members(hid_t group, gsize *n)
{
  GPtrArray *names = g_ptr_array_new();

  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, collect_member, names) < 0) {
    g_ptr_array_set_size(names, 0);
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, collect_member, names);
  }
  *n = names->len;
  g_ptr_array_add(names, NULL);
  return (char **) g_ptr_array_free(names, FALSE);
}

hid_t
lac_h5_record_type(void)
{
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(LacRecord));

#define MEMBER(name, native) H5Tinsert(type, #name, HOFFSET(LacRecord, name), native)
  MEMBER(sequence, H5T_NATIVE_UINT64);
  MEMBER(start_ns, H5T_NATIVE_INT64);
  MEMBER(duration_ns, H5T_NATIVE_INT64);
  MEMBER(step, H5T_NATIVE_INT64);
  MEMBER(count, H5T_NATIVE_UINT64);
  MEMBER(flops, H5T_NATIVE_DOUBLE);
  MEMBER(bytes, H5T_NATIVE_DOUBLE);
  MEMBER(value, H5T_NATIVE_DOUBLE);
  MEMBER(memory, H5T_NATIVE_INT64);
  MEMBER(name, H5T_NATIVE_UINT32);
  MEMBER(lane, H5T_NATIVE_UINT16);
  MEMBER(kind, H5T_NATIVE_UINT8);
  MEMBER(depth, H5T_NATIVE_UINT8);
#undef MEMBER
  return type;
}
