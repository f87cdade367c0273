/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON text: numbers with an exponent and without a fraction stay valid, strings are unchanged; excessive nesting is
 * refused. */
#include "base/error.h"
#include "io/format/json-load.h"
#include "io/format/json-text.h"

#include <string.h>

static void
test_exponents(void)
{
  static const double   numbers[] = {4e-06, 3e22, -4e-06, 0.5, 3, 1e-5, 5e300};
  g_autoptr(JsonArray)  array = json_array_new();
  g_autoptr(JsonNode)   root = json_node_alloc();
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     error = NULL;
  g_autofree char      *text = NULL;
  JsonArray            *again;

  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    json_array_add_double_element(array, numbers[i]);
  json_array_add_string_element(array, "e-06.0 \\\"e+1.0\" \\");
  json_node_init_array(root, array);
  text = lac_json_dup_text(root, FALSE);
  g_assert_null(g_strstr_len(text, strchr(text, '"') - text, "6.0"));
  json_parser_load_from_data(parser, text, -1, &error);
  g_assert_no_error(error);
  again = json_node_get_array(json_parser_get_root(parser));
  for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
    g_assert_cmpfloat(json_array_get_double_element(again, i), ==, numbers[i]);
  g_assert_cmpstr(json_array_get_string_element(again, G_N_ELEMENTS(numbers)), ==,
                  "e-06.0 \\\"e+1.0\" \\");
}

static gboolean
loads(const char *text)
{
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     error = NULL;
  const gboolean        is_read = lac_json_load(parser, text, -1, &error);

  g_assert_true(is_read == (error == NULL));
  if (error != NULL)
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  return is_read;
}

/* The parser is recursive: a hundred thousand levels overflowed the stack. */
static void
test_depth(void)
{
  g_autofree char *deep = g_strnfill(100000, '['), *shallow = NULL, *hidden = NULL;
  g_autofree char *brackets = g_strdup_printf("[\"\\\"%s\"]", deep);

  g_assert_false(loads(deep));
  g_assert_true(loads(brackets)); /* inside a string they are ordinary characters */
  hidden = g_strconcat("/* \" */", deep, NULL);
  g_assert_false(loads(hidden));
  hidden = (g_free(hidden), g_strconcat("// \"\n", deep, NULL));
  g_assert_false(loads(hidden));
  shallow = g_strnfill(LAC_JSON_MOST_DEPTH, '[');
  g_autofree char *closed = g_strdup_printf("%s%s", shallow, shallow);
  memset(closed + LAC_JSON_MOST_DEPTH, ']', LAC_JSON_MOST_DEPTH);
  g_assert_true(loads(closed));
  g_assert_false(loads("[1, 2"));
}

static void
test_files(void)
{
  g_autoptr(JsonParser) parser = json_parser_new();
  g_autoptr(GError)     error = NULL;

  g_assert_false(lac_json_load_file(parser, g_get_tmp_dir(), &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_clear_error(&error);
  g_assert_false(lac_json_load_file(parser, "/nowhere/at/all.json", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/json-text/an-exponent-has-no-fraction", test_exponents);
  g_test_add_func("/io/json-load/what-nests-deeper-than-the-stack-is-refused", test_depth);
  g_test_add_func("/io/json-load/what-is-no-file-is-refused", test_files);
  return g_test_run();
}
