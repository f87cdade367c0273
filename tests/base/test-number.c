/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: short, exact, strict, and independent of the locale. */
#include "base/number.h"
#include "helpers/missing.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static void
test_texts(void)
{
  static const struct {
    double      value;
    const char *text;
  } rows[] = {
    {0, "0"},
    {-3, "-3"},
    {500, "500"},
    {99999, "99999"},
    {1e5, "1e5"},
    {120000, "1.2e5"},
    {123456, "123456"},
    {0.1, "0.1"},
    {1e-7, "1e-7"},
    {0.1 + 0.2, "0.30000000000000004"},
    {G_MAXDOUBLE, "1.7976931348623157e308"},
    {4.9406564584124654e-324, "5e-324"},
    {HUGE_VAL, "inf"},
    {-HUGE_VAL, "-inf"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autofree char *text = lac_number_dup_text(rows[i].value);
    g_assert_cmpstr(text, ==, rows[i].text);
  }
  g_autofree char *none = lac_number_dup_text((double) NAN);
  g_assert_cmpstr(none, ==, "nan");
}

/* Any finite bit pattern reads back with the same bits, and one digit less would not. */
static void
test_reads_back(void)
{
  for (int i = 0; i < 20000; i++) {
    guint64 bits = (guint64) (guint32) g_test_rand_int() << 32 | (guint32) g_test_rand_int();
    double  value, again;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
      continue;
    g_autofree char *text = lac_number_dup_text(value);
    g_assert_true(lac_number_parse(text, &again));
    g_assert_cmpint(memcmp(&value, &again, sizeof value), ==, 0);
    char  longer[G_ASCII_DTOSTR_BUF_SIZE];
    gsize digits = 0;
    for (const char *c = text; *c != '\0' && *c != 'e'; c++)
      digits += g_ascii_isdigit(*c) != 0;
    if (digits < 3 || digits > 17 || strchr(text, 'e') == NULL)
      continue;
    g_autofree char *how = g_strdup_printf("%%.%de", (int) digits - 2);
    g_ascii_formatd(longer, sizeof longer, how, value);
    g_assert_cmpfloat(g_ascii_strtod(longer, NULL), !=, value);
  }
}

static void
test_refused(void)
{
  static const char *const texts[] = {
    "",     " ",    "abc", "1x",    "1 2", "1,5", "nan", "inf",
    "-inf", "0x10", "1e",  "1e999", "--1", ".",   "e5",  "1.2.3",
  };
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    double value = 7;
    gint64 whole = 7;
    g_assert_false(lac_number_parse(texts[i], &value));
    g_assert_false(lac_number_parse_whole(texts[i], &whole));
    g_assert_cmpfloat(value, ==, 7);
    g_assert_cmpint(whole, ==, 7);
  }
}

static void
test_whole(void)
{
  static const struct {
    const char *text;
    gint64      value;
  } rows[] = {
    {"12", 12},
    {" -3 ", -3},
    {"+4", 4},
    {"1e3", 1000},
    {"2.0", 2},
    {"9223372036854775807", G_MAXINT64},
    {"-9223372036854775808", G_MININT64},
    {"9007199254740993", 9007199254740993}, /* 2^53 + 1 is not a double */
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    gint64 value;
    g_assert_true(lac_number_parse_whole(rows[i].text, &value));
    g_assert_cmpint(value, ==, rows[i].value);
  }
  gint64 value = 7;
  g_assert_false(lac_number_parse_whole("2.5", &value));
  g_assert_false(lac_number_parse_whole("9223372036854775808", &value));
  g_assert_cmpint(value, ==, 7);
}

static void
test_locale(void)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    test_missing("locales");
    return;
  }
  double           value;
  g_autofree char *text = lac_number_dup_text(0.5);
  g_assert_cmpstr(text, ==, "0.5");
  g_assert_true(lac_number_parse("0.5", &value));
  g_assert_cmpfloat(value, ==, 0.5);
  g_assert_false(lac_number_parse("0,5", &value));
  setlocale(LC_ALL, "C");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/number/text-is-what-a-person-writes", test_texts);
  g_test_add_func("/base/number/shortest-text-reads-back", test_reads_back);
  g_test_add_func("/base/number/anything-but-a-number-is-refused", test_refused);
  g_test_add_func("/base/number/whole-numbers-are-exact", test_whole);
  g_test_add_func("/base/number/decimal-point-in-every-locale", test_locale);
  return g_test_run();
}
