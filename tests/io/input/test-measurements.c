/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements as text: bitwise round trip in every locale, and one message with the line for every error. */
#include "base/error.h"
#include "helpers/folder.h"
#include "helpers/missing.h"
#include "io/format/whole-file.h"
#include "io/input/measurements-csv.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static char *folder;

static char *
write_text(const char *name, const char *text)
{
  char *path = g_build_filename(folder, name, NULL);

  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  return path;
}

static LacMeasurements *
read_text(const char *text)
{
  g_autofree char  *path = write_text("some.csv", text);
  g_autoptr(GError) error = NULL;
  LacMeasurements  *measurements = lac_measurements_read_csv(path, &error);

  g_assert_no_error(error);
  return measurements;
}

/* Draws from all exponents, both signs. */
static double
draw_number(void)
{
  for (;;) {
    guint64 bits = (guint64) g_test_rand_int() << 32 | (guint32) g_test_rand_int();
    double  value;

    memcpy(&value, &bits, sizeof value);
    if (isfinite(value) && fabs(value) < 1e308)
      return value;
  }
}

static LacMeasurements *
draw_measurements(gsize n, gboolean has_y, gboolean has_t)
{
  static const char *const names[] = {"u", "v", "p"};
  LacMeasurements         *drawn = lac_measurements_new("drawn", n);

  drawn->has_y = has_y;
  drawn->has_t = has_t;
  for (gsize i = 0; i < n; i++)
    drawn->rows[i] = (LacMeasurement){
      .x = draw_number(),
      .y = has_y ? draw_number() : 0,
      .t = has_t ? draw_number() : 0,
      .value = i % 7 == 3 ? NAN : draw_number(),
      .sigma = i % 5 == 1 ? NAN : fabs(draw_number()) + 5e-324,
      .quantity = (guint) lac_measurements_quantity(drawn, names[i % 3]),
    };
  return drawn;
}

static void
assert_same(double a, double b)
{
  if (isnan(a) || isnan(b))
    g_assert_true(isnan(a) && isnan(b));
  else
    g_assert_cmpmem(&a, sizeof a, &b, sizeof b);
}

static void
assert_round_trip(gboolean has_y, gboolean has_t)
{
  g_autofree char           *path = g_build_filename(folder, "drawn.csv", NULL);
  g_autoptr(LacMeasurements) drawn = draw_measurements(1000, has_y, has_t);
  g_autoptr(LacMeasurements) read = NULL;
  g_autoptr(GError)          error = NULL;

  g_assert_true(lac_measurements_write_csv(drawn, path, &error));
  g_assert_no_error(error);
  read = lac_measurements_read_csv(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(read->n, ==, drawn->n);
  g_assert_cmpint(read->has_y, ==, has_y);
  g_assert_cmpint(read->has_t, ==, has_t);
  for (gsize i = 0; i < read->n; i++) {
    const LacMeasurement *a = &read->rows[i], *b = &drawn->rows[i];

    assert_same(a->x, b->x);
    assert_same(a->y, b->y);
    assert_same(a->t, b->t);
    assert_same(a->value, b->value);
    assert_same(a->sigma, b->sigma);
    g_assert_cmpstr(read->quantities[a->quantity], ==, drawn->quantities[b->quantity]);
    g_assert_cmpuint(a->line, ==, i + 2);
  }
  g_assert_nonnull(strstr(read->source, "SHA-256"));
}

static void
test_round_trip(void)
{
  assert_round_trip(TRUE, TRUE);
  assert_round_trip(FALSE, TRUE);
  assert_round_trip(TRUE, FALSE);
}

static void
test_locale(void)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    test_missing("locales");
    return;
  }
  g_assert_cmpstr(localeconv()->decimal_point, ==, ",");
  assert_round_trip(TRUE, TRUE);
  setlocale(LC_ALL, "C");
}

static void
test_forms(void)
{
  static const char *const texts[] = {
    "x,y,t,quantity,value,sigma\n1,2,3,u,0.5,0.1\n1,2,4,u,,0.1\n",
    "\xef\xbb\xbfx,y,t,quantity,value,sigma\r\n1,2,3,u,0.5,0.1\r\n1,2,4,u,nan,0.1\r\n",
    "# from the tank\n\nsigma;value;quantity;t;y;x\n\n0.1;0.5;u;3;2;1\n0.1;NaN;u;4;2;1\n",
    "\"x [m]\"\ty (m)\tt [s]\tQuantity\tVALUE\tsigma\n1\t 2 "
    "\t3\t\"u\"\t5e-1\t.1\n1\t2\t4\tu\t1.79e308\t.1\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(LacMeasurements) read = read_text(texts[i]);

    g_assert_cmpuint(read->n, ==, 2);
    g_assert_cmpuint(read->n_quantities, ==, 1);
    g_assert_cmpstr(read->quantities[0], ==, "u");
    g_assert_true(read->rows[0].x == 1 && read->rows[0].y == 2 && read->rows[0].t == 3);
    g_assert_true(read->rows[0].value == 0.5 && read->rows[0].sigma == 0.1);
    g_assert_true(read->rows[1].t == 4 && isnan(read->rows[1].value));
  }
  g_autoptr(LacMeasurements) bare = read_text("x,quantity,value\n1,p,2\n");
  g_assert_false(bare->has_y || bare->has_t);
  g_assert_true(isnan(bare->rows[0].sigma));
}

/* Returns: the number of bytes. */
static gsize
pack(const char *text, guint8 *packed, gsize n_packed)
{
  g_autoptr(GZlibCompressor) packer = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  gsize                      n_read, n_written;

  g_assert_cmpint(g_converter_convert(G_CONVERTER(packer), text, strlen(text), packed, n_packed,
                                      G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL),
                  ==, G_CONVERTER_FINISHED);
  return n_written;
}

static void
test_gzip(void)
{
  g_autofree char  *path = g_build_filename(folder, "packed.csv.gz", NULL);
  g_autoptr(GError) error = NULL;
  guint8            packed[256];
  const gsize       n_written = pack("x,quantity,value\n1,p,2\n3,p,4\n", packed, sizeof packed);

  g_assert_true(g_file_set_contents(path, (const char *) packed, (gssize) n_written, NULL));
  g_autoptr(LacMeasurements) read = lac_measurements_read_csv(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(read->n, ==, 2);
  g_assert_true(read->rows[1].value == 4);

  for (gsize cut = 3; cut < n_written; cut++) {
    g_assert_true(g_file_set_contents(path, (const char *) packed, (gssize) cut, NULL));
    g_assert_null(lac_measurements_read_csv(path, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "gzip"));
    g_clear_error(&error);
  }
}

/* Concatenated gzip members, as cat and bgzip write, are one text. */
static void
test_gzip_members(void)
{
  g_autofree char  *path = g_build_filename(folder, "members.csv.gz", NULL);
  g_autoptr(GError) error = NULL;
  guint8            packed[512];
  const gsize       n_first = pack("x,quantity,value\n1,p,2\n", packed, 256);
  const gsize       n = n_first + pack("3,p,4\n", packed + n_first, 256);

  g_assert_true(g_file_set_contents(path, (const char *) packed, (gssize) n, NULL));
  g_autoptr(LacMeasurements) read = lac_measurements_read_csv(path, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(read->n, ==, 2);
  g_assert_true(read->rows[1].value == 4);
  for (gsize cut = n_first + 1; cut < n; cut++) {
    g_assert_true(g_file_set_contents(path, (const char *) packed, (gssize) cut, NULL));
    g_assert_null(lac_measurements_read_csv(path, NULL));
  }
}

#define NAMES "x,y,t,quantity,value,sigma\n"

static void
test_refusals(void)
{
  static const struct {
    const char *text, *where, *what;
  } wrong[] = {
    {"", "empty", ""},
    {"\n# nothing\n", "no line that names", ""},
    {NAMES, "no measurement", ""},
    {"x,y,t,quantity,sigma\n", "line 1", "no column value"},
    {"x,y,z,quantity,value\n", "line 1", "\"z\""},
    {"x,x,quantity,value\n", "line 1", "two columns"},
    {NAMES "1,2,3,u,4\n", "line 2", "5 cells"},
    {NAMES "1,2,3,u,4,5,6\n", "line 2", "7 cells"},
    {NAMES "1,2,3,u,4,5\n\n# remark\n1,2,3,u,a,5\n", "line 5", "value = \"a\""},
    {"x;quantity;value\n1;u;0,5\n", "line 2", "decimal point"},
    {NAMES "1,,3,u,4,5\n", "line 2", "finite"},
    {NAMES "1,2,inf,u,4,5\n", "line 2", "t = \"inf\""},
    {NAMES "1,2,3,,4,5\n", "line 2", "quantity"},
    {NAMES "1,2,3,\"a,b\",4,5\n", "line 2", "quantity"},
    {NAMES "1,2,3,u,4,0\n", "line 2", "above 0"},
    {NAMES "1,2,3,u,4,-1\n", "line 2", "above 0"},
    {NAMES "1,2,3,u,0x10,1\n", "line 2", "value"},
    {NAMES "1,2,3,u,1e999,1\n", "line 2", "value"},
    {NAMES "1,2,3,u,4,5", "last line", "line end"}, /* truncated from 55? */
  };

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char  *path = write_text("wrong.csv", wrong[i].text);
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_measurements_read_csv(path, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (strstr(error->message, wrong[i].where) == NULL ||
        strstr(error->message, wrong[i].what) == NULL || strstr(error->message, path) == NULL)
      g_error("\"%s\" does not tell the file, %s and %s", error->message, wrong[i].where,
              wrong[i].what);
    g_assert_null(strchr(error->message, '\n'));
  }
}

static void
test_quantities(void)
{
  g_autoptr(GString) text = g_string_new("x,quantity,value\n");
  g_autoptr(GError)  error = NULL;

  for (guint i = 0; i <= LAC_MEASUREMENTS_MAX_QUANTITIES; i++)
    g_string_append_printf(text, "0,q%u,1\n", i);
  g_autofree char *path = write_text("many.csv", text->str);
  g_assert_null(lac_measurements_read_csv(path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "line 18"));
}

static void
test_unwritable(void)
{
  g_autoptr(LacMeasurements) drawn = draw_measurements(3, TRUE, TRUE);
  g_autofree char           *path = g_build_filename(folder, "none", "out.csv", NULL);
  g_autoptr(GError)          error = NULL;

  g_assert_false(lac_measurements_write_csv(drawn, path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/measurements/written-and-read-to-the-bit", test_round_trip);
  g_test_add_func("/io/measurements/a-decimal-comma-in-the-locale-changes-nothing", test_locale);
  g_test_add_func("/io/measurements/columns-in-any-order-and-separator", test_forms);
  g_test_add_func("/io/measurements/packed-by-gzip", test_gzip);
  g_test_add_func("/io/measurements/packed-in-members", test_gzip_members);
  g_test_add_func("/io/measurements/wrong-lines-are-refused-by-number", test_refusals);
  g_test_add_func("/io/measurements/too-many-quantities-are-refused", test_quantities);
  g_test_add_func("/io/measurements/unwritable-place-is-named", test_unwritable);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
