/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS: the first image of two or more axes in a file, its numbers scaled as its head says; the upper row, which FITS keeps last,
 * comes first. Source: FITS standard 4.0, 4 and 5 */
#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/input/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CARD      80
#define BLOCK     2880
#define MOST_AXES 999

/* One head and the data behind it. */
typedef struct {
  int      bits; /* BITPIX: 8, 16, 32, 64, -32, -64 */
  guint    n_axes;
  gsize    sizes[MOST_AXES];
  gsize    n_groups, n_parameters; /* GCOUNT, PCOUNT */
  double   scale, zero;
  gboolean has_blank, is_image;
  gint64   blank;
} Head;

/* Returns: (nullable): behind "KEY     = ". */
static const char *
find_value(const char *card, const char *key)
{
  const gsize n = strlen(key);

  if (strncmp(card, key, n) != 0 || strspn(card + n, " ") < 8 - n || card[8] != '=')
    return NULL;
  return card + 9;
}

static void
read_axis(Head *head, const char *card)
{
  char       *end;
  const char *value = card + 9;

  if (strncmp(card, "NAXIS", 5) != 0 || card[8] != '=' || !g_ascii_isdigit(card[5]))
    return;
  const guint64 axis = g_ascii_strtoull(card + 5, &end, 10);
  if (axis >= 1 && axis <= MOST_AXES && end <= card + 8)
    head->sizes[axis - 1] = (gsize) g_ascii_strtoull(value, NULL, 10);
}

static void
read_card(Head *head, const char *text)
{
  char        card[CARD + 1];
  const char *value;

  memcpy(card, text, CARD);
  card[CARD] = '\0';
  if ((value = find_value(card, "BITPIX")) != NULL)
    head->bits = (int) CLAMP(g_ascii_strtoll(value, NULL, 10), -64, 64);
  else if ((value = find_value(card, "NAXIS")) != NULL)
    head->n_axes = (guint) MIN(g_ascii_strtoull(value, NULL, 10), MOST_AXES);
  else if ((value = find_value(card, "BSCALE")) != NULL)
    head->scale = g_ascii_strtod(value, NULL);
  else if ((value = find_value(card, "BZERO")) != NULL)
    head->zero = g_ascii_strtod(value, NULL);
  else if ((value = find_value(card, "PCOUNT")) != NULL)
    head->n_parameters = (gsize) g_ascii_strtoull(value, NULL, 10);
  else if ((value = find_value(card, "GCOUNT")) != NULL)
    head->n_groups = (gsize) g_ascii_strtoull(value, NULL, 10);
  else if ((value = find_value(card, "XTENSION")) != NULL)
    head->is_image = strstr(value, "'IMAGE") != NULL;
  else if ((value = find_value(card, "BLANK")) != NULL) {
    head->has_blank = TRUE;
    head->blank = g_ascii_strtoll(value, NULL, 10);
  } else
    read_axis(head, card);
}

/* @at: (inout): where the head begins, then where its data do. Returns: FALSE where it has no end. */
static gboolean
read_head(const char *bytes, gsize length, gsize *at, Head *head)
{
  *head = (Head){.scale = 1, .n_groups = 1, .is_image = TRUE};
  for (gsize card = *at; card + CARD <= length; card += CARD) {
    if (strncmp(bytes + card, "END     ", 8) == 0) {
      *at = (card / BLOCK + 1) * BLOCK;
      return head->bits != 0;
    }
    read_card(head, bytes + card);
  }
  return FALSE;
}

/* Bytes of the data, without what fills the last block. */
static gboolean
measure(const Head *head, gsize *n_bytes)
{
  gsize n = head->n_axes > 0;

  for (guint i = 0; i < head->n_axes; i++)
    if (!g_size_checked_mul(&n, n, head->sizes[i]))
      return FALSE;
  return g_size_checked_add(&n, n, head->n_axes > 0 ? head->n_parameters : 0) &&
         g_size_checked_mul(&n, n, MAX(head->n_groups, 1)) &&
         g_size_checked_mul(n_bytes, n, (gsize) abs(head->bits) / 8);
}

static double
get_number(const Head *head, const guint8 *at)
{
  const guint n = (guint) abs(head->bits) / 8;
  guint64     word = 0;
  gint64      whole;

  for (guint b = 0; b < n; b++)
    word = word << 8 | at[b];
  if (head->bits == -32) {
    const guint32 half = (guint32) word;
    float         value;
    memcpy(&value, &half, sizeof value);
    return head->zero + head->scale * (double) value;
  }
  if (head->bits == -64) {
    double value;
    memcpy(&value, &word, sizeof value);
    return head->zero + head->scale * value;
  }
  whole = n == 1   ? (gint64) word
          : n == 2 ? (gint16) (guint16) word
          : n == 4 ? (gint32) (guint32) word
                   : (gint64) word;
  return head->has_blank && whole == head->blank ? (double) NAN
                                                 : head->zero + head->scale * (double) whole;
}

static void
take_plane(const Head *head, const guint8 *data, LacPicture *picture)
{
  const gsize        bytes = (gsize) abs(head->bits) / 8;
  g_autofree double *row = g_new(double, picture->width);

  for (gsize y = 0; y < picture->height; y++) {
    const guint8 *from = data + (picture->height - 1 - y) * picture->width * bytes;

    for (gsize x = 0; x < picture->width; x++)
      row[x] = get_number(head, from + x * bytes);
    lac_picture_put_row(picture, y, row);
  }
}

static gboolean
is_known_type(int bits)
{
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == -32 || bits == -64;
}

/* Goes from head to head until one has an image. @end: (out): behind the last data looked at, within the file or not. */
static gboolean
find_image(const char *bytes, gsize length, gsize *at, Head *head, gsize *end)
{
  gsize n_bytes;

  *end = 0;
  while (*at < length && read_head(bytes, length, at, head) && measure(head, &n_bytes)) {
    if (!g_size_checked_add(end, *at, n_bytes) || *end > length)
      return FALSE;
    if (head->is_image && head->n_axes >= 2 && n_bytes > 0 && is_known_type(head->bits))
      return TRUE;
    *at = (*end + BLOCK - 1) / BLOCK * BLOCK;
  }
  return FALSE;
}

gboolean
lac_picture_read_fits(LacPicture *picture, const char *path, GError **error)
{
  gsize            length, at = 0, end;
  g_autofree char *bytes = lac_whole_file_read(path, &length, error);
  g_autofree Head *head = g_new0(Head, 1);

  picture->format = "FITS";
  if (bytes == NULL)
    return FALSE;
  if (!find_image(bytes, length, &at, head, &end)) {
    if (end > length)
      return lac_input_set_truncated(error, path, "FITS", length, end);
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s begins as a FITS file but is truncated, or holds no image of two axes that is "
                "not packed",
                path);
    return FALSE;
  }
  picture->width = head->sizes[0];
  picture->height = head->sizes[1];
  picture->bits = (guint) abs(head->bits);
  picture->n_channels = 1;
  picture->is_real = head->bits < 0;
  picture->remark = head->n_axes > 2 ? "the first of its planes" : NULL;
  if (!lac_picture_begin(picture, path, error))
    return FALSE;
  take_plane(head, (const guint8 *) bytes + at, picture);
  return TRUE;
}
