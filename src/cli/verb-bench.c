/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna bench: says that it is not there yet. */
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/verbs.h"

int
lac_verb_bench(int argc, char **argv)
{
  g_autoptr(GError) error = g_error_new_literal(
    LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
    "bench is not in this version; ./dev bench measures the kernels of a source tree");
  return lac_answer_error(error);
}
