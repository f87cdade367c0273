/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPY and NPZ as numpy writes them, for the tests of their readers. */
#include "archive.h"

#include <gio/gio.h>

#include <string.h>

GByteArray *
npy_bytes(const char *shape, const double *data, gsize n)
{
  g_autofree char *dictionary =
    g_strdup_printf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n", shape);
  guint16     length = (guint16) strlen(dictionary);
  GByteArray *bytes = g_byte_array_new();

  g_byte_array_append(bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append(bytes, (const guint8 *) &length, 2);
  g_byte_array_append(bytes, (const guint8 *) dictionary, length);
  return g_byte_array_append(bytes, (const guint8 *) data, (guint) (n * sizeof *data));
}

static void
put(GByteArray *out, guint64 value, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint8 byte = (guint8) (value >> 8 * i);
    g_byte_array_append(out, &byte, 1);
  }
}

/* Computes the checksum by definition, bit by bit. */
static guint32
check_sum_of(const GByteArray *bytes)
{
  guint32 sum = 0xffffffffu;

  for (guint i = 0; i < bytes->len; i++) {
    sum ^= bytes->data[i];
    for (guint k = 0; k < 8; k++)
      sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
  }
  return ~sum;
}

static GByteArray *
pack(const GByteArray *bytes)
{
  g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 9);
  GByteArray                *packed = g_byte_array_new();
  gsize                      n_read, n_written;

  g_byte_array_set_size(packed, bytes->len + 1024);
  g_assert_cmpint(g_converter_convert(G_CONVERTER(packer), bytes->data, bytes->len, packed->data,
                                      packed->len, G_CONVERTER_INPUT_AT_END, &n_read, &n_written,
                                      NULL),
                  ==, G_CONVERTER_FINISHED);
  return g_byte_array_set_size(packed, (guint) n_written);
}

/* Writes the fields common to local header and directory entry, from version to the lengths of name and extra field. */
static void
put_facts(GByteArray *out, const ArchiveMember *member, gsize n_packed, gboolean deflate)
{
  put(out, 20, 2);              /* version needed */
  put(out, 0, 2);               /* flags */
  put(out, deflate ? 8 : 0, 2); /* method */
  put(out, 0, 4);               /* time and date */
  put(out, check_sum_of(member->bytes), 4);
  put(out, n_packed, 4);
  put(out, member->bytes->len, 4);
  put(out, strlen(member->name), 2);
  put(out, 0, 2);
}

static void
put_name(GByteArray *out, const ArchiveMember *member)
{
  g_byte_array_append(out, (const guint8 *) member->name, (guint) strlen(member->name));
}

void
archive_write(const char *path, const ArchiveMember *members, gsize n, gboolean deflate)
{
  g_autoptr(GByteArray) out = g_byte_array_new(), list = g_byte_array_new();

  for (gsize i = 0; i < n; i++) {
    g_autoptr(GByteArray) packed =
      deflate ? pack(members[i].bytes) : g_byte_array_ref(members[i].bytes);

    put(list, 0x02014b50, 4);
    put(list, 20, 2); /* version made by */
    put_facts(list, &members[i], packed->len, deflate);
    put(list, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
    put(list, 0, 4);         /* external attributes */
    put(list, out->len, 4);
    put_name(list, &members[i]);

    put(out, 0x04034b50, 4);
    put_facts(out, &members[i], packed->len, deflate);
    put_name(out, &members[i]);
    g_byte_array_append(out, packed->data, packed->len);
  }
  const guint start = out->len;
  g_byte_array_append(out, list->data, list->len);
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, n, 2);
  put(out, n, 2);
  put(out, list->len, 4);
  put(out, start, 4);
  put(out, 0, 2);
  g_assert_true(g_file_set_contents(path, (const char *) out->data, out->len, NULL));
}
