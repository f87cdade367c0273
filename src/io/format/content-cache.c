/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content cache on disk: one file per entry, named by the SHA-256 of executable and key: a header, then the bytes. */
#include "io/format/content-cache.h"

#include "base/hash.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#define DEFAULT_MOST (G_GUINT64_CONSTANT(2) << 30)
#define MOST_ENTRIES 4096
#define ENDING       ".content"
#define DIGEST_BYTES 32

typedef struct {
  char    magic[8];
  guint8  digest[DIGEST_BYTES]; /* of program and key */
  guint64 n_bytes;
  guint32 crc; /* CRC-32C of the bytes */
  guint32 header_crc;
  guint8  pad[8];
} Header;

G_STATIC_ASSERT(sizeof(Header) == 64); /* aligns the data for every type */

static const char magic[8] = "LACCONT1";

struct _LacContentCache {
  char   *folder, *program;
  guint64 most;
  gint    n_asked, n_found; /* atomic */
};

/* Identifies the running executable, so that no build uses results rounded by another. */
static char *
describe_program(void)
{
  g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);
  GStatBuf         facts = {0};

  if (path && g_stat(path, &facts) != 0)
    memset(&facts, 0, sizeof facts);
  return g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %ld", path ? path : "",
                         (gint64) facts.st_size, (gint64) facts.st_mtim.tv_sec,
                         facts.st_mtim.tv_nsec);
}

LacContentCache *
lac_content_cache_new(const char *folder, guint64 most_bytes)
{
  LacContentCache *cache = g_atomic_rc_box_new0(LacContentCache);

  cache->folder =
    folder ? g_strdup(folder) : g_build_filename(g_get_user_cache_dir(), "lacuna", "content", NULL);
  cache->program = describe_program();
  cache->most = most_bytes ? most_bytes : DEFAULT_MOST;
  return cache;
}

static void
cache_clear(gpointer data)
{
  LacContentCache *cache = data;

  g_free(cache->folder);
  g_free(cache->program);
}

LacContentCache *
lac_content_cache_ref(LacContentCache *cache)
{
  return g_atomic_rc_box_acquire(cache);
}

void
lac_content_cache_unref(LacContentCache *cache)
{
  g_atomic_rc_box_release_full(cache, cache_clear);
}

static void
digest_key(const LacContentCache *cache, const char *key, guint8 digest[DIGEST_BYTES])
{
  g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
  gsize                length = DIGEST_BYTES;

  g_checksum_update(sum, (const guchar *) cache->program, (gssize) strlen(cache->program) + 1);
  g_checksum_update(sum, (const guchar *) key, (gssize) strlen(key));
  g_checksum_get_digest(sum, digest, &length);
}

static char *
name_entry(const LacContentCache *cache, const guint8 digest[DIGEST_BYTES])
{
  g_autofree char *path = NULL;
  GString         *name = g_string_new(NULL);

  for (gsize i = 0; i < DIGEST_BYTES; i++)
    g_string_append_printf(name, "%02x", digest[i]);
  g_string_append(name, ENDING);
  path = g_string_free(name, FALSE);
  return g_build_filename(cache->folder, path, NULL);
}

static guint32
header_sum(const Header *header)
{
  return lac_crc32c(0, header, G_STRUCT_OFFSET(Header, header_crc));
}

static gboolean
is_whole(const char *contents, gsize length, const guint8 digest[DIGEST_BYTES])
{
  Header header;

  if (length < sizeof header)
    return FALSE;
  memcpy(&header, contents, sizeof header);
  return memcmp(header.magic, magic, sizeof magic) == 0 &&
         header_sum(&header) == header.header_crc &&
         memcmp(header.digest, digest, DIGEST_BYTES) == 0 &&
         header.n_bytes == length - sizeof header &&
         lac_crc32c(0, contents + sizeof header, header.n_bytes) == header.crc;
}

/* Returns an entry. The file's time is that of the last use. The file is read, not mapped, because truncation of a
 * mapped file by another process would crash this one. */
GBytes *
lac_content_cache_recall(LacContentCache *cache, const char *key)
{
  guint8            digest[DIGEST_BYTES];
  g_autofree char  *path = NULL;
  g_autoptr(GBytes) whole = NULL;
  char             *contents;
  gsize             length;

  g_atomic_int_inc(&cache->n_asked);
  digest_key(cache, key, digest);
  path = name_entry(cache, digest);
  if (!g_file_get_contents(path, &contents, &length, NULL))
    return NULL;
  whole = g_bytes_new_take(contents, length);
  if (!is_whole(contents, length, digest)) {
    g_debug("%s is damaged and is computed again", path);
    g_unlink(path);
    return NULL;
  }
  g_utime(path, NULL);
  g_atomic_int_inc(&cache->n_found);
  return g_bytes_new_from_bytes(whole, sizeof(Header), length - sizeof(Header));
}

void
lac_content_cache_get_counts(LacContentCache *cache, guint64 *n_asked, guint64 *n_found)
{
  *n_asked = (guint64) g_atomic_int_get(&cache->n_asked);
  *n_found = (guint64) g_atomic_int_get(&cache->n_found);
}

typedef struct {
  char   *path;
  guint64 n_bytes;
  gint64  used; /* ns */
} Entry;

static void
entry_clear(gpointer data)
{
  g_free(((Entry *) data)->path);
}

static int
compare_use(gconstpointer a, gconstpointer b)
{
  const Entry *first = a, *second = b;

  return (first->used > second->used) - (first->used < second->used);
}

static GArray *
list_entries(const LacContentCache *cache)
{
  GArray         *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  g_autoptr(GDir) folder = g_dir_open(cache->folder, 0, NULL);
  const char     *name;

  g_array_set_clear_func(entries, entry_clear);
  while (folder && (name = g_dir_read_name(folder))) {
    g_autofree char *path = g_build_filename(cache->folder, name, NULL);
    GStatBuf         facts;
    Entry            entry;

    if (!g_str_has_suffix(name, ENDING) || g_stat(path, &facts) != 0)
      continue;
    entry = (Entry){g_steal_pointer(&path), (guint64) facts.st_size,
                    (gint64) facts.st_mtim.tv_sec * 1000000000 + facts.st_mtim.tv_nsec};
    g_array_append_val(entries, entry);
  }
  return entries;
}

/* Evicts old entries. Two processes doing so at once may delete slightly too much. */
static void
make_room(const LacContentCache *cache, guint64 n_bytes)
{
  g_autoptr(GArray) entries = list_entries(cache);
  guint64           held = n_bytes;

  for (guint i = 0; i < entries->len; i++)
    held += g_array_index(entries, Entry, i).n_bytes;
  g_array_sort(entries, compare_use);
  for (guint i = 0; i < entries->len; i++) {
    const Entry *oldest = &g_array_index(entries, Entry, i);

    if (held <= cache->most && entries->len - i < MOST_ENTRIES)
      return;
    g_unlink(oldest->path);
    held -= oldest->n_bytes;
  }
}

static gboolean
write_all(int file, gconstpointer data, gsize n_bytes)
{
  const char *at = data;

  while (n_bytes > 0) {
    const gssize n = write(file, at, n_bytes);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    at += n;
    n_bytes -= (gsize) n;
  }
  return TRUE;
}

/* Writes to a unique temporary name first; the checksum detects entries left half-written by a power failure. */
static gboolean
write_entry(const char *path, const Header *header, gconstpointer data)
{
  g_autofree char *draft = g_strdup_printf("%s.XXXXXX", path);
  const int        file = g_mkstemp(draft);
  gboolean         good;

  if (file < 0)
    return FALSE;
  good = write_all(file, header, sizeof *header) && write_all(file, data, header->n_bytes);
  good = close(file) == 0 && good && g_rename(draft, path) == 0;
  if (!good)
    g_unlink(draft);
  return good;
}

void
lac_content_cache_remember(LacContentCache *cache, const char *key, GBytes *bytes)
{
  g_autofree char *path = NULL;
  gsize            n_bytes;
  gconstpointer    data = g_bytes_get_data(bytes, &n_bytes);
  Header           header = {.n_bytes = n_bytes, .crc = lac_crc32c(0, data, n_bytes)};

  if (n_bytes > cache->most / 4 || g_mkdir_with_parents(cache->folder, 0700) != 0)
    return;
  memcpy(header.magic, magic, sizeof magic);
  digest_key(cache, key, header.digest);
  header.header_crc = header_sum(&header);
  path = name_entry(cache, header.digest);
  make_room(cache, sizeof header + n_bytes);
  if (!write_entry(path, &header, data))
    g_debug("%s cannot be written and is computed again next time", path);
}
