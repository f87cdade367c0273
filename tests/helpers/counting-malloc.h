/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts every allocation of the process: the executable's malloc replaces that of the C library. */
#pragma once

#include <glib.h>

#include <stdlib.h>

/* Sanitizers have their own malloc. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#  define COUNTS_MALLOC 0
static guint n_allocations;
#else
#  define COUNTS_MALLOC 1
static guint n_allocations; /* atomic */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

__attribute__((visibility("default"))) void *
malloc(size_t n)
{
  g_atomic_int_inc(&n_allocations);
  return __libc_malloc(n);
}

__attribute__((visibility("default"))) void *
calloc(size_t n, size_t size)
{
  g_atomic_int_inc(&n_allocations);
  return __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *
realloc(void *memory, size_t n)
{
  g_atomic_int_inc(&n_allocations);
  return __libc_realloc(memory, n);
}

__attribute__((visibility("default"))) void *
aligned_alloc(size_t alignment, size_t n)
{
  g_atomic_int_inc(&n_allocations);
  return __libc_memalign(alignment, n);
}
#endif

static inline guint
count_allocations(void)
{
  return (guint) g_atomic_int_get(&n_allocations);
}
