/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run comes from: program, compiler, machine, libraries, input files. */
#include "run/provenance.h"

#include "backend/dense.h"
#include "field/field.h"
#include "field/measurements.h"
#include "io/libraries.h"
#include "run/build-facts.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void
add(GPtrArray *facts, const char *key, const char *value)
{
  g_ptr_array_add(facts, g_strdup(key));
  g_ptr_array_add(facts, g_strdup(value));
}

static char *
dup_processor(void)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)) {
    const char *row = strstr(text, "model name");
    const char *value = row != NULL ? strchr(row, ':') : NULL;
    if (value != NULL)
      return g_strstrip(g_strndup(value + 1, strcspn(value + 1, "\n")));
  }
  return g_strdup("unknown");
}

GStrv
lac_provenance_new(GHashTable *inputs, GHashTable *measurements)
{
  GPtrArray       *facts = g_ptr_array_new();
  g_autofree char *processor = dup_processor();
  g_autofree char *processors = g_strdup_printf("%u", g_get_num_processors());
  g_autofree char *libraries = lac_libraries_dup_text();
  struct utsname   machine;

  add(facts, "program", "Lacuna " LAC_BUILD_VERSION);
  add(facts, "compiler", LAC_BUILD_COMPILER);
  add(facts, "build type", LAC_BUILD_TYPE);
  add(facts, "host", g_get_host_name());
  if (uname(&machine) == 0) {
    g_autofree char *system =
      g_strdup_printf("%s %s %s", machine.sysname, machine.release, machine.machine);
    add(facts, "system", system);
  }
  add(facts, "processor", processor);
  add(facts, "processors", processors);
  add(facts, "libraries", libraries);
  add(facts, "linear algebra", lac_dense_library());
  if (inputs != NULL) {
    GHashTableIter iter;
    gpointer       key, field;
    g_hash_table_iter_init(&iter, inputs);
    while (g_hash_table_iter_next(&iter, &key, &field)) {
      g_autofree char *name = g_strdup_printf("input %s", (const char *) key);
      add(facts, name, ((const LacGridField *) field)->source);
    }
  }
  if (measurements != NULL) {
    GHashTableIter iter;
    gpointer       key, rows;
    g_hash_table_iter_init(&iter, measurements);
    while (g_hash_table_iter_next(&iter, &key, &rows)) {
      g_autofree char *name = g_strdup_printf("input %s", (const char *) key);
      add(facts, name, ((const LacMeasurements *) rows)->source);
    }
  }
  g_ptr_array_add(facts, NULL);
  return (GStrv) g_ptr_array_free(facts, FALSE);
}
