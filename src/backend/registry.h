/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backends by name: those of this build and the CUDA module, if found at run time. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer none): every backend by name: cpu, strict, cuda. A missing CUDA module is listed with a table
 * whose open() returns LAC_STATUS_NO_DEVICE and whose `what` gives the reason. */
const LacBackend *const *lac_backends(gsize *n_backends);

/* Splits "cuda:1" into the name of a backend and a device number; "cuda" is device 0. Only cuda has numbers. Returns:
 * TRUE when @name names a backend; "auto" does not. */
gboolean lac_device_parse_name(const char *name, const char **backend, guint *number);

/* Returns TRUE for "auto" and every name that lac_device_parse_name() accepts; the macro lists the choices for error
 * messages. */
gboolean lac_device_is_choice(const char *name);
#define LAC_DEVICE_CHOICES "auto, cpu, strict, cuda, cuda:N (device number N)"

/* Returns: (transfer full): the name that opens the device again: "cuda", "cuda:1" */
char *lac_device_dup_name(const LacDevice *device);

/**
 * lac_device_open:
 * @name: "auto", "cpu", "strict", "cuda" or "cuda:N"; auto selects cuda if a device responds, else cpu
 *
 * Returns: %FALSE with %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_DEVICE set.
 */
gboolean lac_device_open(LacDevice *device, const char *name, GError **error);
/* Opens a device by a valid name other than auto, without an error message. */
LacStatus lac_device_try(LacDevice *device, const char *name);
void      lac_device_close(LacDevice *device);
/* Returns TRUE when this process has lost the CUDA device, which stays unusable until the process ends. Any thread;
 * does not access the device. */
gboolean lac_device_is_lost(void);

/* Returns: (nullable): the path of the loaded CUDA module */
const char *lac_device_get_module(void);

/* Counts the cards listed by the driver, without loading or opening anything: the range of device numbers. */
guint lac_device_count_cards(void);

/* Counts the usable devices of the cuda backend. Any thread; the first call may take a second. */
guint lac_device_count(void);

/**
 * lac_device_query:
 * @number: number of a device of the cuda backend
 * @facts: (out): as far as known, also when the status is not OK
 * @why: (out) (transfer full): user-visible reason, one sentence, when there is no device or it cannot be used; else %NULL
 *
 * Any thread; the first call may take a second.
 * Returns: LAC_STATUS_OK with @facts filled, LAC_STATUS_NO_DEVICE without a device, else the error.
 */
LacStatus lac_device_query(guint number, LacDeviceFacts *facts, char **why);

/* NULL-terminated: "f64", "f32", "bf16x6", "bf16x3"; the last two store f32 and form products of split values. */
extern const char *const lac_precision_names[];

/* Returns: "f64" or "f32": the storage type at this precision */
const char *lac_precision_storage(const char *name);

/* Sets the precision of all later products. Returns: %FALSE with %LAC_ERROR_OUT_OF_RANGE for an unknown name, with
 * %LAC_ERROR_DEVICE when the device does not support it. */
gboolean lac_device_set_precision(LacDevice device, const char *name, GError **error);

G_END_DECLS
