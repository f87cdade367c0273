/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of backends, and search for the CUDA module. */
#include "backend/registry.h"

#include "backend/cpu/cpu.h"
#include "backend/device-log.h"
#include "backend/module-dir.h"
#include "backend/strict/strict.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>

#include <string.h>

#define MODULE_NAME "liblac-cuda.so"
#define WHY_NAME \
  "liblac-cuda.why" /* installed instead of a module that was not built: the reason, one line */

static const LacBackend *loaded_cuda; /* atomic; NULL: not searched yet */

const char *
lac_status_text(LacStatus status)
{
  static const char *const texts[] = {
#define S(code, text) text,
    LAC_STATUS_LIST(S)
#undef S
  };

  static GPrivate   own = G_PRIVATE_INIT(g_free);
  const LacBackend *cuda = g_atomic_pointer_get(&loaded_cuda);
  const char       *failure = cuda && cuda->failure ? cuda->failure(status) : NULL;
  const char       *text = (gsize) status < G_N_ELEMENTS(texts)
                             ? _(texts[status])
                             : _("the device returned an unknown status");

  if (!failure)
    return text;
  g_private_replace(&own, g_strdup_printf("%s: %s", text, failure));
  return g_private_get(&own);
}

static LacStatus
absent_open(void **self, int device)
{
  *self = NULL;
  return LAC_STATUS_NO_DEVICE;
}

static const LacBackend *
absent(const char *why)
{
  LacBackend *table = g_new0(LacBackend, 1); /* lives as long as the process, as all tables do */

  table->abi = LAC_BACKEND_ABI;
  table->name = "cuda";
  table->what = why;
  table->open = absent_open;
  return table;
}

/* Returns: (nullable): the path of a file of this name: only in LACUNA_MODULE_DIR if set, else the installed folder,
 * else the build tree. */
static char *
find_beside(const char *name)
{
  const char      *asked = g_getenv("LACUNA_MODULE_DIR");
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
  g_autofree char *beside = folder ? g_build_filename(folder, "..", "cuda", name, NULL) : NULL;
  g_autofree char *below = folder ? g_build_filename(folder, "cuda", name, NULL) : NULL;
  g_autofree char *installed = g_build_filename(LAC_MODULE_DIR, name, NULL);
  char            *places[] = {installed, beside, below};

  if (asked)
    return g_build_filename(asked, name, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    if (places[i] && g_file_test(places[i], G_FILE_TEST_IS_REGULAR))
      return g_strdup(places[i]);
  return NULL;
}

/* Returns: the reason why the module is missing; lives as long as the process */
static const char *
explain_missing_module(void)
{
  g_autofree char *path = find_beside(WHY_NAME), *why = NULL;

  if (path && g_file_get_contents(path, &why, NULL, NULL))
    /* Translators: %s is a reason in English, written when the program was built. */
    return g_strdup_printf(_("The CUDA module was not built: %s"), g_strstrip(why));
  return _("The CUDA module is not installed");
}

/* Stub for a kernel that the module lacks: the planner reports it with the name of the op. */
#define K(name, Args)                                           \
  static LacStatus lacking_##name(void *self, const Args *args) \
  {                                                             \
    return LAC_STATUS_UNSUPPORTED;                              \
  }
LAC_BACKEND_KERNELS(K)
#undef K

static const LacBackend *
with_every_kernel(const LacBackend *found)
{
  LacBackend *table = g_memdup2(found, sizeof *found);

#define K(name, Args) table->name = found->name ? found->name : lacking_##name;
  LAC_BACKEND_KERNELS(K)
#undef K
  return table;
}

/* The module loads hundreds of MB of libraries: skipped without a driver. */
static gboolean
has_driver(void)
{
  GModule *driver = g_module_open("libcuda.so.1", G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);

  return driver && g_module_close(driver);
}

static const char *loaded_module; /* written once, by load_cuda() */

static const LacBackend *
load_cuda(void)
{
  g_autofree char *path = find_beside(MODULE_NAME);
  const LacBackend *(*entry)(void) = NULL;
  const LacBackend *table;
  GModule          *module;

  if (!path || !g_file_test(path, G_FILE_TEST_IS_REGULAR))
    return absent(explain_missing_module());
  if (!g_getenv("LACUNA_MODULE_DIR") && !has_driver())
    return absent(_("This machine has no NVIDIA driver"));
  module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (!module)
    return absent(g_strdup_printf(_("The CUDA module cannot be loaded: %s"), g_module_error()));
  if (!g_module_symbol(module, "lac_backend_entry", (gpointer *) &entry) || !entry)
    return absent(_("The CUDA module found was not built for this program"));
  table = entry();
  if (!table || table->abi != LAC_BACKEND_ABI)
    return absent(_("The CUDA module found belongs to another version of this program"));
  g_module_make_resident(module);
  loaded_module = g_steal_pointer(&path);
  return with_every_kernel(table);
}

const LacBackend *const *
lac_backends(gsize *n_backends)
{
  static const LacBackend *backends[3];
  static gsize             once = 0;

  if (g_once_init_enter(&once)) {
    backends[0] = &lac_backend_cpu;
    backends[1] = &lac_backend_strict;
    backends[2] = load_cuda();
    g_atomic_pointer_set(&loaded_cuda, backends[2]);
    g_once_init_leave(&once, 1);
  }
  if (n_backends)
    *n_backends = G_N_ELEMENTS(backends);
  return backends;
}

static const LacBackend *
find_backend(const char *name)
{
  gsize                    n;
  const LacBackend *const *backends = lac_backends(&n);

  for (gsize i = 0; i < n; i++)
    if (g_strcmp0(backends[i]->name, name) == 0)
      return backends[i];
  return NULL;
}

gboolean
lac_device_parse_name(const char *name, const char **backend, guint *number)
{
  static const char *const plain[] = {"cpu", "strict", "cuda", NULL};
  const char              *digits = name ? strchr(name, ':') : NULL;
  guint64                  parsed = 0;

  *backend = NULL;
  *number = 0;
  for (gsize i = 0; plain[i]; i++)
    if (g_strcmp0(name, plain[i]) == 0)
      *backend = plain[i];
  if (digits && strncmp(name, "cuda:", strlen("cuda:")) == 0 &&
      g_ascii_string_to_unsigned(digits + 1, 10, 0, G_MAXINT, &parsed, NULL)) {
    *backend = "cuda";
    *number = (guint) parsed;
  }
  return *backend != NULL;
}

gboolean
lac_device_is_choice(const char *name)
{
  const char *backend;
  guint       number;

  return g_strcmp0(name, "auto") == 0 || lac_device_parse_name(name, &backend, &number);
}

char *
lac_device_dup_name(const LacDevice *device)
{
  return device->number > 0 ? g_strdup_printf("%s:%d", device->table->name, device->number)
                            : g_strdup(device->table->name);
}

LacStatus
lac_device_try(LacDevice *device, const char *name)
{
  const char *backend;
  guint       number;
  LacStatus   status;

  *device = (LacDevice){NULL, NULL};
  g_return_val_if_fail(lac_device_parse_name(name, &backend, &number), LAC_STATUS_UNSUPPORTED);
  *device = (LacDevice){find_backend(backend), NULL, (int) number};
  status = device->table->open(&device->self, (int) number);
  if (status != LAC_STATUS_OK)
    *device = (LacDevice){NULL, NULL};
  return status;
}

/* Explains a failed open: a device's own facts are more specific than the table's description. */
static char *
explain(const char *name, LacStatus status)
{
  LacDeviceFacts   facts;
  const char      *backend;
  g_autofree char *why = NULL;
  guint            number;

  lac_device_parse_name(name, &backend, &number);
  if (g_str_equal(backend, "cuda") && lac_device_query(number, &facts, &why) != LAC_STATUS_OK)
    return g_steal_pointer(&why);
  return g_strdup_printf("%s (%s)", find_backend(backend)->what, lac_status_text(status));
}

gboolean
lac_device_open(LacDevice *device, const char *name, GError **error)
{
  gboolean  automatic = g_strcmp0(name, "auto") == 0;
  LacStatus status;

  g_return_val_if_fail(device && name, FALSE);
  if (!lac_device_is_choice(name)) {
    *device = (LacDevice){NULL, NULL};
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                "backend = %s is not one of " LAC_DEVICE_CHOICES, name);
    return FALSE;
  }
  status = lac_device_try(device, automatic ? "cuda" : name);
  if (status != LAC_STATUS_OK && automatic)
    status = lac_device_try(device, name = "cpu");
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_autofree char *why = explain(name, status);
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "backend = %s cannot be used: %s; use backend = cpu", name, why);
  return FALSE;
}

const char *
lac_device_get_module(void)
{
  find_backend("cuda");
  return loaded_module;
}

guint
lac_device_count(void)
{
  const LacBackend *table = find_backend("cuda");

  return table->count ? (guint) MAX(table->count(), 0) : 0;
}

/* A driver runs programs built with its own major version of CUDA or an older one. Source: CUDA Compatibility, "Minor
 * Version Compatibility". */
static gboolean
is_too_old(const LacDeviceFacts *facts)
{
  return facts->driver > 0 && facts->driver / 1000 < facts->runtime / 1000;
}

/* A module from LACUNA_MODULE_DIR may serve devices that the driver does not list. */
guint
lac_device_count_cards(void)
{
  g_autoptr(GDir) folder = g_dir_open("/proc/driver/nvidia/gpus", 0, NULL);
  guint           n = 0;

  if (g_getenv("LACUNA_MODULE_DIR"))
    return lac_device_count();
  while (folder && g_dir_read_name(folder))
    n++;
  return n;
}

static char *
explain_absence(guint number, const LacDeviceFacts *facts)
{
  const guint n = lac_device_count();

  if (n > 0)
    return g_strdup_printf(
      ngettext("GPU %u does not exist: this machine has %u GPU, numbered from 0",
               "GPU %u does not exist: this machine has %u GPUs, numbered from 0", n),
      number, n);
  if (is_too_old(facts))
    /* Translators: CUDA versions: 11.4, 13.0. */
    return g_strdup_printf(_("The NVIDIA driver is too old: it supports CUDA %d.%d, but this "
                             "program needs %d.0; install a newer driver"),
                           facts->driver / 1000, facts->driver % 1000 / 10, facts->runtime / 1000);
  if (facts->driver == 0)
    return g_strdup(_("This machine has no NVIDIA driver"));
  return g_strdup(_("No NVIDIA GPU responds on this machine"));
}

static char *
explain_status(guint number, LacStatus status, const LacDeviceFacts *facts)
{
  if (status == LAC_STATUS_NO_DEVICE || status == LAC_STATUS_OLD_DRIVER)
    return explain_absence(number, facts);
  if (status == LAC_STATUS_NO_KERNEL)
    /* Translators: %s are a GPU's name; compute capabilities: 7.0, and "7.5 8.0 8.6"; the last two numbers are
     * without a dot: 70. */
    return g_strdup_printf(
      _("This program has no code for %s, whose compute capability is %d.%d; it has code for %s. "
        "Build it with -Ddevice_capabilities=%d%d"),
      facts->name, facts->major, facts->minor, facts->built_for, facts->major, facts->minor);
  if (status == LAC_STATUS_DEVICE_LOST)
    return g_strdup(_("The GPU stopped responding: restart Lacuna to use it again"));
  return g_strdup_printf(_("The GPU cannot be used: %s"), lac_status_text(status));
}

/* A table without facts() is that of a missing module, whose `what` gives the reason. */
LacStatus
lac_device_query(guint number, LacDeviceFacts *facts, char **why)
{
  const LacBackend *table = find_backend("cuda");
  LacStatus         status;

  *facts = (LacDeviceFacts){0};
  *why = NULL;
  if (!table->facts) {
    *why = g_strdup(table->what);
    return LAC_STATUS_NO_DEVICE;
  }
  status = table->facts((int) number, facts);
  if (status != LAC_STATUS_OK)
    *why = explain_status(number, status, facts);
  return status;
}

gboolean
lac_device_is_lost(void)
{
  const LacBackend *cuda = g_atomic_pointer_get(&loaded_cuda);

  return cuda && cuda->failure && cuda->failure(LAC_STATUS_DEVICE_LOST) != NULL;
}

void
lac_device_close(LacDevice *device)
{
  lac_device_log_free(device->log);
  if (device->table)
    device->table->close(device->self);
  *device = (LacDevice){NULL, NULL};
}

const char *const lac_precision_names[] = {"f64", "f32", "bf16x6", "bf16x3", NULL};

const char *
lac_precision_storage(const char *name)
{
  return g_strcmp0(name, "f64") == 0 ? "f64" : "f32";
}

gboolean
lac_device_set_precision(LacDevice device, const char *name, GError **error)
{
  LacPrecision precision = LAC_PRECISION_PLAIN;
  LacStatus    status = LAC_STATUS_OK;

  if (!g_strv_contains(lac_precision_names, name)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "precision = %s is not one of f64, f32, bf16x6, bf16x3", name);
    return FALSE;
  }
  if (g_str_equal(name, "bf16x6"))
    precision = LAC_PRECISION_BF16X6;
  else if (g_str_equal(name, "bf16x3"))
    precision = LAC_PRECISION_BF16X3;
  if (device.table->set_precision)
    status = device.table->set_precision(device.self, precision);
  else if (precision != LAC_PRECISION_PLAIN)
    status = LAC_STATUS_UNSUPPORTED;
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE,
              "precision = %s is not available on backend = %s: %s; use precision = f32, or "
              "backend = cuda on a machine with a CUDA device",
              name, device.table->name, lac_status_text(status));
  return FALSE;
}
