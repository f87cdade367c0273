/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields: shape and ownership. */
#include "field/field.h"

#include <glib.h>

static void
test_shape(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const units[] = {"s", "m", "m"};
  static const gsize      sizes[] = {3, 5, 7};
  g_autoptr(LacGridField) field = lac_field_new("u", "m/s", 3, names, units, sizes);

  g_assert_cmpstr(field->name, ==, "u");
  g_assert_true(field->unit == g_intern_string("m/s"));
  g_assert_cmpuint(field->n_axes, ==, 3);
  g_assert_cmpuint(lac_field_get_length(field), ==, 105);
  for (guint i = 0; i < 3; i++) {
    g_assert_true(field->axes[i].name == g_intern_string(names[i]));
    g_assert_true(field->axes[i].unit == g_intern_string(units[i]));
    g_assert_cmpuint(field->axes[i].n, ==, sizes[i]);
    for (gsize k = 0; k < sizes[i]; k++)
      g_assert_cmpfloat(field->axes[i].values[k], ==, 0);
  }
  for (gsize i = 0; i < 105; i++)
    g_assert_cmpfloat(field->data[i], ==, 0);
}

static void
test_references(void)
{
  static const char *const name = "x", *const unit = "1";
  const gsize   size = 4;
  LacGridField *field = lac_field_new("u", "1", 1, &name, &unit, &size);
  LacGridField *other = lac_field_ref(field);

  g_assert_true(other == field);
  lac_field_unref(field);
  other->data[3] = 2;
  g_assert_cmpfloat(other->data[3], ==, 2);
  lac_field_unref(other);
  lac_field_unref(NULL);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/field/a-new-field-has-its-axes-and-is-zero", test_shape);
  g_test_add_func("/field/field/lives-until-its-last-reference-goes", test_references);
  return g_test_run();
}
