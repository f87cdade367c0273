/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backends by name, those of this build and the CUDA module where one is found at run time. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer none): every backend by name: cpu, strict, cuda. A missing CUDA module is listed with
 * a table whose open() answers LAC_STATUS_UNSUPPORTED and whose `what` says why. */
const LacBackend *const *lac_backends(gsize *n_backends);

/* Splits "cuda:1" into the name of a backend and the number of a device of it; "cuda" is its first, 0.
 * Returns: whether @name is that of a backend, of which only cuda has numbers. auto is none. */
gboolean lac_device_parse_name(const char *name, const char **backend, guint *number);

/* "auto", and every name that lac_device_parse_name() knows. For an error of the caller: what may be chosen. */
gboolean lac_device_is_choice(const char *name);
#define LAC_DEVICE_CHOICES "auto, cpu, strict, cuda, cuda:N (the device of that number)"

/* Returns: (transfer full): by what name the device opens again: "cuda", "cuda:1" */
char *lac_device_dup_name(const LacDevice *device);

/**
 * lac_device_open:
 * @name: "auto", "cpu", "strict", "cuda" or "cuda:N"; auto takes cuda where a device answers, else cpu
 *
 * Returns: %FALSE with %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_DEVICE set.
 */
gboolean lac_device_open(LacDevice *device, const char *name, GError **error);
/* Of a name that is there, auto not among them, without words. */
LacStatus lac_device_try(LacDevice *device, const char *name);
void      lac_device_close(LacDevice *device);
/* Whether this process has lost the CUDA device, which answers nothing any more until the process ends. Any thread; asks no device. */
gboolean lac_device_is_lost(void);

/* Returns: (nullable): the path of the CUDA module that was loaded */
const char *lac_device_get_module(void);

/* Cards that the driver lists, which loads and opens nothing: how many numbers there are to choose from, before one is asked. */
guint lac_device_count_cards(void);

/* Devices of the cuda backend that answer. Any thread; the first answer may take a second. */
guint lac_device_count(void);

/**
 * lac_device_query:
 * @number: of a device of the cuda backend
 * @facts: (out): also where the answer is not OK, as far as it is known
 * @why: (out) (transfer full): one sentence for the person where there is no device or it cannot be used; else %NULL
 *
 * Any thread; the first answer may take a second.
 * Returns: LAC_STATUS_OK with @facts filled, LAC_STATUS_NO_DEVICE where there is none, else what is wrong with it.
 */
LacStatus lac_device_query(guint number, LacDeviceFacts *facts, char **why);

/* "f64", "f32", and "bf16x6" and "bf16x3", which are f32 whose products are formed from split numbers; then NULL. */
extern const char *const lac_precision_names[];

/* Returns: "f64" or "f32": in what numbers are kept at this precision */
const char *lac_precision_storage(const char *name);

/* Of products from now on. Returns: %FALSE with %LAC_ERROR_OUT_OF_RANGE for a name that is none, %LAC_ERROR_DEVICE where the
 * device has no such products. */
gboolean lac_device_set_precision(LacDevice device, const char *name, GError **error);

G_END_DECLS
