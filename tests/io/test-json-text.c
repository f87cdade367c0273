/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with an exponent and without a fraction stay numbers; strings stay as they are. */
#include "io/json-text.h"

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

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/io/json-text/an-exponent-has-no-fraction", test_exponents);
  return g_test_run();
}
