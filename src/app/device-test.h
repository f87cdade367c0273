/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The self-test of one device, in a thread. Signal: changed, when it has begun, goes on or has ended. */
#pragma once

#include "run/self-test.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_DEVICE_TEST (lac_device_test_get_type())
G_DECLARE_FINAL_TYPE(LacDeviceTest, lac_device_test, LAC, DEVICE_TEST, GObject)

/* @name: of a backend: "cuda:1" */
LacDeviceTest *lac_device_test_new(const char *name);

void lac_device_test_start(LacDeviceTest *test);  /* nothing where it is running */
void lac_device_test_cancel(LacDeviceTest *test); /* ends after the check that is being done */

gboolean lac_device_test_is_running(LacDeviceTest *test);
/* @what: (out) (nullable): name of the check that is being done. Returns: 0...1 */
double lac_device_test_get_progress(LacDeviceTest *test, const char **what);

/* Returns: (nullable): of the last test that ended; NULL where none has, or it could not begin */
const LacSelfTest *lac_device_test_get_result(LacDeviceTest *test);
/* Returns: (nullable): why it could not begin */
const char *lac_device_test_get_error(LacDeviceTest *test);

G_END_DECLS
