/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failure of a test because of a missing package. */
#include "missing.h"

void
test_missing(const char *package)
{
  g_test_fail_printf("the package %s is not installed; ./dev test installs it", package);
}
