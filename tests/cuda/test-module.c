/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built CUDA module, without a device: it loads, lacks no kernel, has machine code for every requested processor,
 * and reports why it cannot be used; and how the program finds it. */
#include "emulated.h"

#include "backend/electrons.h"
#include "graph/program/program.h"

#include <gmodule.h>

#include <string.h>

static const LacBackend *
open_module(const char *path)
{
  const LacBackend *(*entry)(void) = NULL;
  GModule *module = g_module_open(path, G_MODULE_BIND_LOCAL);

  if (!module)
    g_error("%s", g_module_error());
  g_assert_true(g_module_symbol(module, "lac_backend_entry", (gpointer *) &entry));
  return entry();
}

/* @from: only pointers */
static void
assert_filled(const char *what, gconstpointer from, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes / sizeof(gpointer); i++) {
    gpointer entry;

    memcpy(&entry, (const char *) from + i * sizeof entry, sizeof entry);
    if (!entry)
      g_error("entry %zu of the table %s is empty", i, what);
  }
}

/* The table consists of pointers from `count` on. */
static void
assert_no_empty_entry(const LacBackend *table)
{
  const gsize first = offsetof(LacBackend, count);

  assert_filled("after `count`", (const char *) table + first, sizeof *table - first);
  assert_filled("of electrons", table->electrons, offsetof(LacDeviceElectrons, factors));
}

static void
module_loads_and_explains(void)
{
  const LacBackend *table;
  void             *self = NULL;
  LacStatus         status;
  LacDeviceFacts    facts;

  if (strlen(CUDA_MODULE) == 0) {
    g_test_skip("the CUDA module was not built");
    return;
  }
  table = open_module(CUDA_MODULE);
  g_assert_cmpuint(table->abi, ==, LAC_BACKEND_ABI);
  g_assert_cmpstr(table->name, ==, "cuda");
  assert_no_empty_entry(table);
  g_assert_nonnull(strstr(table->what, "CUDA"));
  g_test_message("%s", table->what);
  status = table->open(&self, 0);
  g_assert_cmpint(table->facts(0, &facts), ==, status);
  if (status == LAC_STATUS_OK) {
    table->close(self);
    return;
  }
  g_assert_cmpint(status, ==, LAC_STATUS_NO_DEVICE);
  g_assert_nonnull(strstr(table->what, "none answers"));
}

static void
emulated_module_lacks_nothing(void)
{
  const LacBackend *table = emulated_backend();

  if (table)
    assert_no_empty_entry(table);
  else
    g_test_skip("the emulated device was not built");
}

/* ---- machine code ---- */

enum { PTX = 1, MACHINE_CODE = 2, MOST_PROCESSORS = 200 };

static const guint32 magic = 0xba55ed50;

typedef struct {
  guint n_ptx, n_codes[MOST_PROCESSORS]; /* by the number after sm_ */
} Found;

static guint32
read32(const char *at)
{
  guint32 value;

  memcpy(&value, at, sizeof value);
  return GUINT32_FROM_LE(value);
}

static guint64
read64(const char *at)
{
  return read32(at) | (guint64) read32(at + 4) << 32;
}

/* Counts one container: a header of 16 bytes, then entries, each of kind, length of its own header, length, ...,
 * processor. */
static void
count_entries(const char *container, gsize room, Found *found)
{
  const gsize header = read32(container + 4) >> 16;
  const gsize end = MIN(room, header + read64(container + 8));

  for (gsize at = header; at + 32 <= end;) {
    const guint32 kind = read32(container + at) & 0xffff, processor = read32(container + at + 28);

    if (kind == PTX)
      found->n_ptx++;
    if (kind == MACHINE_CODE && processor < MOST_PROCESSORS)
      found->n_codes[processor]++;
    at += read32(container + at + 4) + read64(container + at + 8);
  }
}

static void
machine_code_is_there_for_every_processor(void)
{
  g_autofree char *bytes = NULL;
  g_auto(GStrv)    processors = g_strsplit(CUDA_PROCESSORS, " ", 0);
  Found            found = {0};
  gsize            length;

  if (strlen(CUDA_MODULE) == 0) {
    g_test_skip("the CUDA module was not built");
    return;
  }
  g_assert_true(g_file_get_contents(CUDA_MODULE, &bytes, &length, NULL));
  for (gsize at = 0; at + 32 <= length; at += 8)
    if (read32(bytes + at) == magic)
      count_entries(bytes + at, length - at, &found);
  g_assert_cmpuint(found.n_ptx, >, 0);
  g_assert_cmpuint(g_strv_length(processors), >=, 1);
  for (gsize i = 0; processors[i]; i++)
    g_assert_cmpuint(found.n_codes[g_ascii_strtoull(processors[i], NULL, 10)], >=, found.n_ptx);
}

/* ---- planning ---- */

static LacStatus
no_kernel(void *self, const LacLayer *args)
{
  return LAC_STATUS_UNSUPPORTED;
}

/* A kernel missing in a module is a planning error with the op's name; there is no fallback. */
static void
missing_kernel_is_named(void)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacGraph) graph = lac_graph_new();
  const LacNode       x = lac_graph_points(graph, "x", 0, 64, 3);
  const LacNode       w = lac_graph_parameter(graph, "w", 5, 3);
  const LacNode       b = lac_graph_parameter(graph, "b", 1, 5);
  const LacNode       y = lac_layer(x, w, b, LAC_SCALAR_TANH);
  LacBackend          table;
  LacDevice           device;
  LacProgram         *program;

  if (!emulated_open(&device))
    return;
  table = *device.table;
  table.layer = no_kernel;
  program =
    lac_program_new(graph, LAC_NO_NODE, &y, 1,
                    &(LacProgramOptions){.device = {&table, device.self}, .type = LAC_F32}, &error);
  g_assert_null(program);
  g_assert_nonnull(strstr(error->message, "layer tanh 3x5"));
  g_assert_nonnull(strstr(error->message, "does not implement"));
  lac_device_close(&device);
}

/* Allocated device memory is no longer free. */
static void
assert_facts_hold(LacDevice device)
{
  LacDeviceFacts   before, after;
  g_autofree char *why = NULL;
  void            *memory;
  const gsize      n_bytes = 1 << 29;

  g_assert_cmpint(lac_device_query(0, &before, &why), ==, LAC_STATUS_OK);
  g_assert_cmpstr(before.name, ==, "emulated device");
  g_assert_cmpuint(before.memory_free, <, before.memory);
  g_assert_cmpint(device.table->alloc(device.self, n_bytes, &memory), ==, LAC_STATUS_OK);
  g_assert_cmpint(lac_device_query(0, &after, &why), ==, LAC_STATUS_OK);
  g_assert_cmpuint(after.memory_free, <=, before.memory_free - n_bytes);
  device.table->release(device.self, memory);
  g_assert_null(why);
}

/* The program's own search for the module, with and without a device. */
static void
registry_finds_the_emulated_module(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  if (!emulated_backend()) {
    g_test_skip("the emulated device was not built");
    return;
  }
  if (g_test_subprocess()) {
    g_autoptr(GError) error = NULL;
    g_autofree char  *why = NULL;
    LacDeviceFacts    facts;
    LacDevice         device;

    g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
    g_assert_true(lac_device_open(&device, "auto", &error));
    g_assert_cmpstr(device.table->name, ==, "cuda");
    assert_facts_hold(device);
    lac_device_close(&device);
    g_setenv("LACUNA_EMULATED_DEVICES", "0", TRUE);
    g_assert_cmpint(lac_device_query(0, &facts, &why), ==, LAC_STATUS_NO_DEVICE);
    g_assert_nonnull(strstr(why, "No NVIDIA GPU"));
    g_assert_false(lac_device_open(&device, "cuda", &error));
    g_assert_nonnull(strstr(error->message, "No NVIDIA GPU"));
    g_clear_error(&error);
    g_assert_true(lac_device_open(&device, "auto", &error));
    g_assert_cmpstr(device.table->name, ==, "cpu");
    lac_device_close(&device);
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/cuda/module-loads-and-explains", module_loads_and_explains);
  g_test_add_func("/cuda/emulated-module-lacks-nothing", emulated_module_lacks_nothing);
  g_test_add_func("/cuda/machine-code-is-there-for-every-processor",
                  machine_code_is_there_for_every_processor);
  g_test_add_func("/cuda/missing-kernel-is-named", missing_kernel_is_named);
  g_test_add_func("/cuda/registry-finds-the-emulated-module", registry_finds_the_emulated_module);
  return g_test_run();
}
