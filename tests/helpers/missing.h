/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failure of a test because of a missing Debian package: ./dev test installs them all, so none is ever a reason to
 * skip. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Fails the current test with a message naming @package. */
void test_missing(const char *package);

G_END_DECLS
