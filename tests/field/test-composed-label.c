/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Composed labels: composition in English and recognition for translation. */
#include "field/composed-label.h"

#include <string.h>

static void
test_a_label_keeps_its_name(void)
{
  for (int kind = 0; kind < LAC_N_COMPOSED_LABELS; kind++) {
    const char *label = lac_composed_label((LacComposedLabel) kind, "momentum x");
    const char *name = strstr(label, "momentum x");
    g_assert_nonnull(name);
    g_assert_true(label == lac_composed_label((LacComposedLabel) kind, "momentum x"));
    g_assert_cmpstr(lac_label_translate(label), ==, label); /* the test's language is English */
  }
}

/* Text with the prefix of a form but not its suffix, or without a name, is an ordinary label. */
static void
test_other_labels_stay(void)
{
  static const char *const labels[] = {"Relative error", "", "Loss: ", "Change of the weather",
                                       "Change of  that doubles the loss"};
  for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
    g_assert_cmpstr(lac_label_translate(labels[i]), ==, labels[i]);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/composed-label/a-label-keeps-its-name", test_a_label_keeps_its_name);
  g_test_add_func("/field/composed-label/other-labels-stay", test_other_labels_stay);
  return g_test_run();
}
