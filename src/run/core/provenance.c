/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Provenance of a run: program, commit, command line, compiler, machine, libraries, input files. */
#include "run/core/provenance.h"

#include "backend/dense.h"
#include "field/field.h"
#include "field/measurements.h"
#include "field/molecule.h"
#include "io/format/libraries.h"
#include "io/input/exposures-h5.h"
#include "run/build-facts.h"
#include "run/revision.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Characters that need no quoting in a shell. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_"

static void
add(GPtrArray *facts, const char *key, const char *value)
{
  g_ptr_array_add(facts, g_strdup(key));
  g_ptr_array_add(facts, g_strdup(value));
}

/* Returns the command line quoted for a shell. Returns: (nullable). */
static char *
dup_command(void)
{
  g_autofree char *words = NULL;
  gsize            length = 0;

  if (!g_file_get_contents("/proc/self/cmdline", &words, &length, NULL) || length == 0)
    return NULL;
  GString *command = g_string_new(NULL);
  for (const char *word = words; word < words + length; word += strlen(word) + 1) {
    g_autofree char *quoted = g_shell_quote(word);
    const gboolean   is_plain = *word != '\0' && strspn(word, PLAIN) == strlen(word);
    g_string_append_printf(command, "%s%s", word == words ? "" : " ", is_plain ? word : quoted);
  }
  return g_string_free(command, FALSE);
}

static char *
dup_field_source(gconstpointer field)
{
  return g_strdup(((const LacGridField *) field)->source);
}

static char *
dup_measurements_source(gconstpointer measurements)
{
  return g_strdup(((const LacMeasurements *) measurements)->source);
}

static char *
dup_exposures_source(gconstpointer store)
{
  return lac_exposures_h5_dup_source(store);
}

static char *
dup_molecule_source(gconstpointer molecule)
{
  return g_strdup(((const LacMolecule *) molecule)->source);
}

static void
add_sources(GPtrArray *facts, GHashTable *table, char *(*dup_source)(gconstpointer input))
{
  GHashTableIter iter;
  gpointer       key, input;

  g_hash_table_iter_init(&iter, table);
  while (g_hash_table_iter_next(&iter, &key, &input)) {
    g_autofree char *name = g_strdup_printf("input %s", (const char *) key);
    g_autofree char *source = dup_source(input);

    add(facts, name, source);
  }
}

static void
add_version(GPtrArray *facts, const char *key, int version)
{
  g_autofree char *text = lac_machine_dup_version(version);

  if (version > 0)
    add(facts, key, text);
}

static void
add_device(GPtrArray *facts, const LacDeviceFacts *device)
{
  g_autofree char *capability = g_strdup_printf("%d.%d", device->major, device->minor);
  g_autofree char *memory = g_format_size(device->memory);

  add(facts, LAC_PROVENANCE_DEVICE, device->name);
  add(facts, "compute capability", capability);
  add(facts, "device memory", memory);
  add_version(facts, "CUDA driver", device->driver);
  add_version(facts, "CUDA runtime", device->runtime);
  add_version(facts, "CUDA toolkit", device->toolkit);
}

static void
add_processor(GPtrArray *facts)
{
  LacProcessorFacts processor;
  g_autofree char  *processors = g_strdup_printf("%u", g_get_num_processors());

  lac_processor_query(&processor);
  add(facts, "processor", processor.name);
  add(facts, "processors", processors);
}

static void
add_program(GPtrArray *facts)
{
  add(facts, "program", "Lacuna " LAC_BUILD_VERSION);
  if (*LAC_BUILD_REVISION != '\0')
    add(facts, "revision", LAC_BUILD_REVISION);
}

/* Adds what the last bit of a result may depend on, besides the program and the parameters. */
static void
add_machine(GPtrArray *facts)
{
  struct utsname machine;

  add(facts, "compiler", LAC_BUILD_COMPILER);
  add(facts, "build type", LAC_BUILD_TYPE);
  add(facts, "host", g_get_host_name());
  if (uname(&machine) == 0) {
    g_autofree char *system =
      g_strdup_printf("%s %s %s", machine.sysname, machine.release, machine.machine);
    add(facts, "system", system);
  }
  add_processor(facts);
}

static void
add_libraries(GPtrArray *facts)
{
  g_autofree char *libraries = lac_libraries_dup_text();

  add(facts, "libraries", libraries);
  add(facts, "linear algebra", lac_dense_library());
}

static GStrv
end_facts(GPtrArray *facts)
{
  g_ptr_array_add(facts, NULL);
  return (GStrv) g_ptr_array_free(facts, FALSE);
}

GStrv
lac_provenance_new_machine(void)
{
  GPtrArray *facts = g_ptr_array_new();

  add_program(facts);
  add_machine(facts);
  add_libraries(facts);
  return end_facts(facts);
}

GStrv
lac_provenance_new(const LacProvenance *of)
{
  GPtrArray       *facts = g_ptr_array_new();
  g_autofree char *command = dup_command();

  add_program(facts);
  if (command != NULL)
    add(facts, "command", command);
  add_machine(facts);
  if (of->device != NULL)
    add_device(facts, &of->device->device);
  if (of->choice != NULL)
    add(facts, LAC_PROVENANCE_CHOICE, of->choice);
  if (of->sweep != NULL)
    add(facts, LAC_PROVENANCE_SWEEP, of->sweep);
  if (of->n_parameters > 0) {
    g_autofree char *n = g_strdup_printf("%" G_GSIZE_FORMAT, of->n_parameters);

    add(facts, LAC_PROVENANCE_PARAMETERS, n);
  }
  add_libraries(facts);
  if (of->inputs != NULL) {
    add_sources(facts, of->inputs->fields, dup_field_source);
    add_sources(facts, of->inputs->measurements, dup_measurements_source);
    add_sources(facts, of->inputs->exposures, dup_exposures_source);
    add_sources(facts, of->inputs->molecules, dup_molecule_source);
  }
  return end_facts(facts);
}
