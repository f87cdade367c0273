/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lacuna devices: hardware of this machine, whether a GPU is usable, and whether it computes correctly. */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/format/json-text.h"
#include "run/machine/machine.h"
#include "run/machine/self-test.h"

#include <unistd.h>

/* null if there is none */
static void
put_text(JsonBuilder *builder, const char *key, const char *text)
{
  if (text != NULL) {
    lac_json_add_text(builder, key, text);
    return;
  }
  json_builder_set_member_name(builder, key);
  json_builder_add_null_value(builder);
}

static void
put_processor(JsonBuilder *builder, const LacProcessorFacts *facts)
{
  lac_json_add_integer(builder, "cores", facts->n_cores);
  lac_json_add_integer(builder, "threads", facts->n_threads);
  put_text(builder, "instructions", facts->level);
  lac_json_add_integer(builder, "memory_bytes", (gint64) facts->memory);
  lac_json_add_integer(builder, "memory_free_bytes", (gint64) facts->memory_free);
}

/* 13.0 for 13000; null if there is none. */
static void
put_version(JsonBuilder *builder, const char *key, int version)
{
  g_autofree char *text = lac_machine_dup_version(version);

  put_text(builder, key, version > 0 ? text : NULL);
}

static void
put_device(JsonBuilder *builder, const LacDeviceFacts *facts)
{
  g_autofree char *capability = g_strdup_printf("%d.%d", facts->major, facts->minor);

  put_text(builder, "compute_capability", facts->major > 0 ? capability : NULL);
  lac_json_add_integer(builder, "multiprocessors", facts->multiprocessors);
  lac_json_add_number(builder, "peak_f32_flops", facts->flops[LAC_F32]);
  lac_json_add_number(builder, "peak_f64_flops", facts->flops[LAC_F64]);
  lac_json_add_number(builder, "peak_bytes_per_second", facts->bandwidth);
  lac_json_add_integer(builder, "memory_bytes", (gint64) facts->memory);
  lac_json_add_integer(builder, "memory_free_bytes", (gint64) facts->memory_free);
  put_version(builder, "cuda_driver", facts->driver);
  put_version(builder, "cuda_runtime", facts->runtime);
  put_version(builder, "cuda_toolkit", facts->toolkit);
  put_text(builder, "built_for", facts->built_for);
}

static void
put_rates(JsonBuilder *builder, const char *key, const double rates[LAC_N_SELF_TEST_RATES])
{
  json_builder_set_member_name(builder, key);
  json_builder_begin_object(builder);
  lac_json_add_number(builder, "bytes_per_second", rates[LAC_SELF_TEST_COPY]);
  lac_json_add_number(builder, "f32_flops", rates[LAC_SELF_TEST_SINGLES]);
  lac_json_add_number(builder, "f64_flops", rates[LAC_SELF_TEST_DOUBLES]);
  json_builder_end_object(builder);
}

static void
put_check(JsonBuilder *builder, const LacSelfTestCheck *check)
{
  const char *outcome = !check->was_run ? "left out" : check->passed ? "passed" : "failed";

  json_builder_begin_object(builder);
  lac_json_add_text(builder, "name", check->name);
  lac_json_add_text(builder, "type", check->type);
  lac_json_add_text(builder, "outcome", outcome);
  lac_json_add_number(builder, "worst", check->worst);
  put_text(builder, "why", check->why[0] != '\0' ? check->why : NULL);
  json_builder_end_object(builder);
}

static void
put_test(JsonBuilder *builder, const LacSelfTest *test)
{
  json_builder_set_member_name(builder, "test");
  json_builder_begin_object(builder);
  json_builder_set_member_name(builder, "works");
  json_builder_add_boolean_value(builder, lac_self_test_passes(test));
  lac_json_add_integer(builder, "passed", test->n_passed);
  lac_json_add_integer(builder, "failed", test->n_failed);
  lac_json_add_integer(builder, "left_out", test->n_left_out);
  lac_json_add_number(builder, "seconds", test->seconds);
  put_rates(builder, "reached", test->device);
  put_rates(builder, "processor", test->processor);
  json_builder_set_member_name(builder, "checks");
  json_builder_begin_array(builder);
  for (guint i = 0; i < test->checks->len; i++)
    put_check(builder, &g_array_index(test->checks, LacSelfTestCheck, i));
  json_builder_end_array(builder);
  json_builder_end_object(builder);
}

/* @test: (nullable) */
static void
put_part(JsonBuilder *builder, const LacMachinePart *part, const LacSelfTest *test)
{
  json_builder_begin_object(builder);
  put_text(builder, "name", part->name);
  put_text(builder, "model", lac_machine_part_get_title(part));
  json_builder_set_member_name(builder, "usable");
  json_builder_add_boolean_value(builder, part->why == NULL);
  put_text(builder, "why", part->why);
  if (part->is_device)
    put_device(builder, &part->device);
  else
    put_processor(builder, &part->processor);
  if (test != NULL)
    put_test(builder, test);
  json_builder_end_object(builder);
}

/* @tests: of the same parts, each (nullable) */
static void
print_json(const GPtrArray *parts, const GPtrArray *tests)
{
  g_autoptr(JsonBuilder) builder = json_builder_new();
  g_autoptr(JsonNode)    root = NULL;
  g_autofree char       *text = NULL;

  json_builder_begin_object(builder);
  json_builder_set_member_name(builder, "devices");
  json_builder_begin_array(builder);
  for (guint i = 0; i < parts->len; i++)
    put_part(builder, g_ptr_array_index(parts, i), g_ptr_array_index(tests, i));
  json_builder_end_array(builder);
  json_builder_end_object(builder);
  root = json_builder_get_root(builder);
  text = lac_json_dup_text(root, FALSE);
  g_print("%s\n", text);
}

/* Aligns labels by characters instead of bytes. */
static void
print_rows(char **rows)
{
  glong width = 0;

  for (char **row = rows; row[0] != NULL && row[1] != NULL; row += 2)
    width = MAX(width, g_utf8_strlen(row[0], -1));
  for (char **row = rows; row[0] != NULL && row[1] != NULL; row += 2)
    g_print("  %s%*s  %s\n", row[0], (int) (width - g_utf8_strlen(row[0], -1)), "", row[1]);
}

static void
print_part(const LacMachinePart *part, const LacSelfTest *test)
{
  g_auto(GStrv) rows = lac_machine_part_dup_rows(part);

  g_print("%s  %s\n", part->name, lac_machine_part_get_title(part));
  print_rows(rows);
  if (test == NULL)
    return;
  g_autofree char *verdict = lac_self_test_dup_verdict(test);
  g_auto(GStrv)    results = lac_self_test_dup_rows(test);
  g_print("\n  %s\n", verdict);
  print_rows(results);
}

/* Shows progress on a line that overwrites itself. */
static void
show_progress(double fraction, const char *what, gpointer user_data)
{
  g_printerr("\r\033[K%3.0f %%  %s", 100 * fraction, what);
}

/* Tests a usable device. Returns: FALSE if it fails */
static gboolean
test_part(const LacMachinePart *part, GPtrArray *tests)
{
  const gboolean         is_shown = isatty(STDERR_FILENO) != 0;
  const LacSelfTestWatch watch = {.progress = is_shown ? show_progress : NULL};
  g_autoptr(GError)      error = NULL;
  LacSelfTest           *test = NULL;

  if (part->is_device && part->why == NULL)
    test = lac_self_test_run(part->name, &watch, &error);
  if (is_shown)
    g_printerr("\r\033[K");
  if (error != NULL)
    g_printerr("lacuna: %s\n", error->message);
  g_ptr_array_add(tests, test);
  return error == NULL && (test == NULL || lac_self_test_passes(test));
}

/* Returns: the exit status: a requested test with no device to test is a failure */
static int
test_all(const GPtrArray *parts, GPtrArray *tests)
{
  gboolean passes = TRUE;
  guint    n_tested = 0;

  for (guint i = 0; i < parts->len; i++) {
    passes = test_part(g_ptr_array_index(parts, i), tests) && passes;
    n_tested += g_ptr_array_index(tests, i) != NULL;
  }
  return passes && n_tested > 0 ? LAC_EXIT_FINISHED : LAC_EXIT_FAILED;
}

static int
run_verb(int argc, char **argv)
{
  gboolean           json = FALSE, is_tested = FALSE;
  const GOptionEntry entries[] = {
    {"test", 0, 0, G_OPTION_ARG_NONE, &is_tested,
     "Check every operation of each GPU against the processor, in less than a minute; exit status "
     "1 if one differs or there is no GPU",
     NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object", NULL},
    {NULL},
  };
  const LacVerbForm form = {
    "",
    "Lists the processor and the GPUs, with versions, memory and the reason if one is unusable.",
    entries, 0, 0};
  g_auto(GStrv)        words = NULL;
  g_autoptr(GError)    error = NULL;
  g_autoptr(GPtrArray) parts = NULL, tests = NULL;
  int                  status = LAC_EXIT_FINISHED;

  if (!lac_arguments_parse(&form, argc, argv, &words, &error))
    return lac_answer_error(error);
  parts = lac_machine_query();
  tests = g_ptr_array_new_with_free_func((GDestroyNotify) lac_self_test_free);
  if (is_tested)
    status = test_all(parts, tests);
  else
    g_ptr_array_set_size(tests, (gint) parts->len);
  if (json)
    print_json(parts, tests);
  for (guint i = 0; i < parts->len && !json; i++) {
    g_print("%s", i > 0 ? "\n" : "");
    print_part(g_ptr_array_index(parts, i), g_ptr_array_index(tests, i));
  }
  return status;
}

const LacVerb lac_verb_devices = {
  .name = "devices",
  .usage = "[--test] [--json]",
  .summary = "the processor and the GPUs, and whether they work",
  .run = run_verb,
};
