/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/summary/speed.h"

#include "base/pool.h"
#include "io/format/json-text.h"
#include "io/runfile/folder.h"

/* Returns: (transfer full) (nullable): NULL if a setting is not understood. */
static LacDraft *
dup_draft(const LacExperiment *experiment, const LacRunOrigin *origin)
{
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  for (char **pair = origin->settings; pair[0] != NULL && pair[1] != NULL; pair += 2)
    if (!lac_draft_set(draft, pair[0], pair[1], NULL))
      return NULL;
  return g_steal_pointer(&draft);
}

GArray *
lac_speed_advice_of_run(const char *folder, const LacCapture *capture)
{
  g_return_val_if_fail(folder != NULL && capture != NULL, NULL);
  g_autoptr(LacRunOrigin) origin = lac_run_origin_read(folder, NULL);
  const LacExperiment    *experiment =
    origin != NULL ? lac_experiment_find(origin->experiment, NULL) : NULL;
  g_autoptr(LacDraft) draft = experiment != NULL ? dup_draft(experiment, origin) : NULL;
  if (draft == NULL)
    return g_array_new(FALSE, FALSE, sizeof(LacSpeedAdvice));
  return lac_speed_advice_find(&(LacSpeedCase){
    .experiment = experiment,
    .draft = draft,
    .precision = origin->precision,
    .on_device = g_str_has_prefix(origin->backend, "cuda"),
    .threads = origin->threads,
    .n_processors = lac_pool_available(),
    .capture = capture,
  });
}

static void
add_nullable(JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name(builder, name);
  if (value != NULL)
    json_builder_add_string_value(builder, value);
  else
    json_builder_add_null_value(builder);
}

void
lac_speed_advice_print(const GArray *advice, GString *text)
{
  g_return_if_fail(advice != NULL && text != NULL);
  for (guint i = 0; i < advice->len; i++) {
    g_autofree char *sentence =
      lac_speed_advice_dup_text(&g_array_index(advice, LacSpeedAdvice, i), TRUE);
    g_string_append_printf(text, "- %s\n", sentence);
  }
}

void
lac_speed_advice_add_json(const GArray *advice, JsonBuilder *builder)
{
  g_return_if_fail(advice != NULL && builder != NULL);
  json_builder_set_member_name(builder, "advice");
  json_builder_begin_array(builder);
  for (guint i = 0; i < advice->len; i++) {
    const LacSpeedAdvice *one = &g_array_index(advice, LacSpeedAdvice, i);
    g_autofree char      *text = lac_speed_advice_dup_text(one, FALSE);
    json_builder_begin_object(builder);
    add_nullable(builder, "setting", one->key);
    add_nullable(builder, "now", one->now);
    add_nullable(builder, "value", one->to);
    lac_json_add_text(builder, "operation", one->operation);
    lac_json_add_number(builder, "share", one->share);
    lac_json_add_number(builder, "gain", one->gain);
    lac_json_add_text(builder, "text", text);
    json_builder_end_object(builder);
  }
  json_builder_end_array(builder);
}
