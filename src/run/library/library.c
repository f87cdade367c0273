/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run library and its index. */
#include "run/library/library.h"

#include "base/error.h"
#include "io/runfile/format.h"
#include "run/core/run.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define INDEX_MARK "lacuna-runs-5" /* to be changed with the headline format */
#define BATCH      64              /* runs read per batch, so that the first appear soon */

struct _LacRunLibrary {
  char       *folder, *index;
  GHashTable *known;    /* name of the folder -> LacRunHeadline */
  GHashTable *reported; /* names already passed to on_found */
  gboolean    index_read, index_old;
};

LacRunLibrary *
lac_run_library_new(const char *folder, const char *cache)
{
  LacRunLibrary   *library = g_atomic_rc_box_new0(LacRunLibrary);
  g_autofree char *fallback = folder == NULL ? lac_run_dup_default_folder() : NULL;
  g_autofree char *root =
    cache != NULL ? g_strdup(cache) : g_build_filename(g_get_user_cache_dir(), "lacuna", NULL);

  library->folder = g_canonicalize_filename(folder != NULL ? folder : fallback, NULL);
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, library->folder, -1);
  g_autofree char *name = g_strdup_printf("runs-%.16s.index", digest);
  library->index = g_build_filename(root, name, NULL);
  library->known =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_run_headline_unref);
  library->reported = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  return library;
}

LacRunLibrary *
lac_run_library_ref(LacRunLibrary *library)
{
  return g_atomic_rc_box_acquire(library);
}

static void
library_clear(gpointer data)
{
  LacRunLibrary *library = data;

  g_hash_table_unref(library->known);
  g_hash_table_unref(library->reported);
  g_free(library->folder);
  g_free(library->index);
}

void
lac_run_library_unref(LacRunLibrary *library)
{
  if (library != NULL)
    g_atomic_rc_box_release_full(library, library_clear);
}

const char *
lac_run_library_get_folder(const LacRunLibrary *library)
{
  return library->folder;
}

/* ---- the index ---- */

static void
read_index(LacRunLibrary *library)
{
  g_autoptr(GMappedFile) file = g_mapped_file_new(library->index, FALSE, NULL);

  library->index_read = TRUE;
  if (file == NULL)
    return;
  g_autoptr(GBytes)   bytes = g_mapped_file_get_bytes(file);
  g_autoptr(GVariant) index = g_variant_ref_sink(
    g_variant_new_from_bytes(G_VARIANT_TYPE("(sa" LAC_HEADLINE_FORMAT ")"), bytes, FALSE));
  g_autoptr(GVariant) mark = g_variant_get_child_value(index, 0);
  if (!g_str_equal(g_variant_get_string(mark, NULL), INDEX_MARK) ||
      !g_variant_is_normal_form(index))
    return;
  g_autoptr(GVariant) runs = g_variant_get_child_value(index, 1);
  for (gsize i = 0; i < g_variant_n_children(runs); i++) {
    g_autoptr(GVariant) packed = g_variant_get_child_value(runs, i);
    LacRunHeadline     *headline = lac_run_headline_unpack(library->folder, packed);
    g_hash_table_insert(library->known, g_strdup(headline->name), headline);
  }
}

/* Returns TRUE for final headlines; running and damaged runs are read again every time. */
static gboolean
is_settled(const LacRunHeadline *headline)
{
  return !g_str_equal(headline->outcome, "running") &&
         !g_str_equal(headline->outcome, "unreadable");
}

/* Writes the index; after a failure it is rebuilt next time. */
static void
write_index(LacRunLibrary *library)
{
  GVariantBuilder  runs;
  GHashTableIter   iter;
  gpointer         headline;
  g_autofree char *place = g_path_get_dirname(library->index);

  g_variant_builder_init(&runs, G_VARIANT_TYPE("a" LAC_HEADLINE_FORMAT));
  g_hash_table_iter_init(&iter, library->known);
  while (g_hash_table_iter_next(&iter, NULL, &headline))
    if (is_settled(headline))
      g_variant_builder_add_value(&runs, lac_run_headline_pack(headline));
  g_autoptr(GVariant) index =
    g_variant_ref_sink(g_variant_new("(sa" LAC_HEADLINE_FORMAT ")", INDEX_MARK, &runs));
  g_mkdir_with_parents(place, 0700);
  g_autoptr(GError) unwritten = NULL;
  if (!g_file_set_contents(library->index, g_variant_get_data(index),
                           (gssize) g_variant_get_size(index), &unwritten))
    g_debug("%s", unwritten->message);
  library->index_old = FALSE;
}

/* ---- scanning ---- */

/* Returns the time in a name: "kolmogorov-20261121-204512-3fa9.lacuna". */
static const char *
stamp_in(const char *name)
{
  gsize length = strlen(name), ending = strlen("20261121-204512-3fa9" LAC_RUN_FOLDER_SUFFIX);

  return length > ending ? name + length - ending : name;
}

static int
compare_latest_first(gconstpointer a, gconstpointer b)
{
  const char *left = *(const char *const *) a, *right = *(const char *const *) b;
  int         answer = strcmp(stamp_in(right), stamp_in(left));

  return answer != 0 ? answer : strcmp(right, left);
}

/* Returns: (transfer full): names of run folders, the latest first; %NULL with an error. */
static GPtrArray *
list_names(const char *folder, GError **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GError)    why = NULL;
  g_autoptr(GDir)      dir = g_dir_open(folder, 0, &why);
  const char          *name;

  if (dir == NULL && !g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, _("the runs folder %s cannot be read: %s"),
                folder, why->message);
    return NULL;
  }
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
    if (g_str_has_suffix(name, LAC_RUN_FOLDER_SUFFIX) && name[0] != '.')
      g_ptr_array_add(names, g_strdup(name));
  g_ptr_array_sort(names, compare_latest_first);
  return g_steal_pointer(&names);
}

typedef struct {
  LacRunLibrary    *library;
  LacRunLibraryFunc on_found;
  gpointer          user_data;
  GPtrArray        *runs, *gone;
  guint             n_read; /* in this batch */
} Scan;

static void
hand_over(Scan *scan)
{
  if (scan->runs->len + scan->gone->len > 0)
    scan->on_found(scan->runs, scan->gone, scan->user_data);
  g_ptr_array_set_size(scan->runs, 0);
  g_ptr_array_set_size(scan->gone, 0);
  scan->n_read = 0;
}

/* Reads a run unless its headline is up to date. */
static void
look_at(Scan *scan, const char *name)
{
  LacRunLibrary   *library = scan->library;
  g_autofree char *path = g_build_filename(library->folder, name, NULL);
  LacRunHeadline  *known = g_hash_table_lookup(library->known, name);
  LacHeadlineStamp stamp;

  if (!lac_run_headline_stamp(path, &stamp))
    return;
  gboolean current =
    known != NULL && is_settled(known) && memcmp(&stamp, &known->stamp, sizeof stamp) == 0;
  if (current && g_hash_table_contains(library->reported, name))
    return;
  if (!current) {
    known = lac_run_headline_read(path);
    if (known == NULL)
      return;
    g_hash_table_insert(library->known, g_strdup(name), known);
    library->index_old |= is_settled(known);
    scan->n_read++;
  }
  g_hash_table_add(library->reported, g_strdup(name));
  g_ptr_array_add(scan->runs, lac_run_headline_ref(known));
}

static void
forget_gone(Scan *scan, GPtrArray *names)
{
  LacRunLibrary        *library = scan->library;
  g_autoptr(GHashTable) there = g_hash_table_new(g_str_hash, g_str_equal);
  GHashTableIter        iter;
  gpointer              name;

  for (guint i = 0; i < names->len; i++)
    g_hash_table_add(there, g_ptr_array_index(names, i));
  g_hash_table_iter_init(&iter, library->known);
  while (g_hash_table_iter_next(&iter, &name, NULL)) {
    if (g_hash_table_contains(there, name))
      continue;
    if (g_hash_table_remove(library->reported, name))
      g_ptr_array_add(scan->gone, g_strdup(name));
    g_hash_table_iter_remove(&iter);
    library->index_old = TRUE;
  }
}

gboolean
lac_run_library_scan(LacRunLibrary    *library,
                     GCancellable     *cancellable,
                     LacRunLibraryFunc on_found,
                     gpointer          user_data,
                     GError          **error)
{
  g_autoptr(GPtrArray) names = list_names(library->folder, error);
  g_autoptr(GPtrArray) runs =
    g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);
  g_autoptr(GPtrArray) gone = g_ptr_array_new_with_free_func(g_free);
  Scan                 scan = {library, on_found, user_data, runs, gone, 0};

  if (names == NULL)
    return FALSE;
  if (!library->index_read)
    read_index(library);
  forget_gone(&scan, names);
  for (guint i = 0; i < names->len; i++) {
    if (g_cancellable_set_error_if_cancelled(cancellable, error))
      return FALSE;
    look_at(&scan, g_ptr_array_index(names, i));
    if (scan.n_read >= BATCH)
      hand_over(&scan);
  }
  hand_over(&scan);
  if (library->index_old)
    write_index(library);
  return TRUE;
}

static void
collect(GPtrArray *runs, GPtrArray *gone, gpointer user_data)
{
  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add(user_data, lac_run_headline_ref(g_ptr_array_index(runs, i)));
}

GPtrArray *
lac_run_library_read(const char *folder, GError **error)
{
  g_autoptr(LacRunLibrary) library = lac_run_library_new(folder, NULL);
  g_autoptr(GPtrArray)     runs =
    g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_headline_unref);

  if (!lac_run_library_scan(library, NULL, collect, runs, error))
    return NULL;
  return g_steal_pointer(&runs);
}
