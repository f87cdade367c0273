/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collection of texts, processes and threads; nesting.c finishes them. */
#include "io/trace/builder.h"

#include "io/trace/trace-private.h"

#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_RECORDS = 4096 };

LacTraceBuilder *
lac_trace_builder_new(void)
{
  LacTraceBuilder *builder = g_new0(LacTraceBuilder, 1);
  builder->n_slots = FIRST_SLOTS;
  builder->slots = g_new0(guint32, FIRST_SLOTS);
  builder->texts = g_array_new(FALSE, FALSE, sizeof(LacTraceText));
  builder->chunk = g_string_chunk_new(65536);
  builder->processes = g_array_new(FALSE, FALSE, sizeof(LacTraceProcess));
  builder->threads = g_array_new(FALSE, FALSE, sizeof(LacTraceThread));
  return builder;
}

void
lac_trace_builder_free(LacTraceBuilder *builder)
{
  if (builder == NULL)
    return;
  for (guint i = 0; i < builder->threads->len; i++)
    g_clear_pointer(&g_array_index(builder->threads, LacTraceThread, i).open, g_array_unref);
  g_free(builder->slots);
  g_array_unref(builder->texts);
  g_string_chunk_free(builder->chunk);
  g_array_unref(builder->processes);
  g_array_unref(builder->threads);
  g_free(builder->records);
  g_free(builder);
}

/* ---- texts: open addressing, half full at most; a slot holds a number plus one ---- */

static guint32
hash_bytes(const char *bytes, gsize n)
{
  guint64 hash = n;
  for (; n >= 8; bytes += 8, n -= 8) {
    guint64 word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  for (; n > 0; bytes++, n--)
    hash = (hash ^ (guint8) *bytes) * G_GUINT64_CONSTANT(0x100000001b3);
  return (guint32) (hash ^ hash >> 32);
}

static void
grow_slots(LacTraceBuilder *builder)
{
  g_free(builder->slots);
  builder->n_slots *= 2;
  builder->slots = g_new0(guint32, builder->n_slots);
  for (guint32 i = 0; i < builder->texts->len; i++) {
    gsize at = g_array_index(builder->texts, LacTraceText, i).hash & (builder->n_slots - 1);
    while (builder->slots[at] != 0)
      at = (at + 1) & (builder->n_slots - 1);
    builder->slots[at] = i + 1;
  }
}

guint32
lac_trace_builder_intern(LacTraceBuilder *builder, const char *bytes, gsize n)
{
  const guint32 hash = hash_bytes(bytes, n);
  gsize         at = hash & (builder->n_slots - 1);
  for (; builder->slots[at] != 0; at = (at + 1) & (builder->n_slots - 1)) {
    const LacTraceText *text = &g_array_index(builder->texts, LacTraceText, builder->slots[at] - 1);
    if (text->hash == hash && text->n == n && memcmp(text->bytes, bytes, n) == 0)
      return builder->slots[at] - 1;
  }
  LacTraceText text = {g_string_chunk_insert_len(builder->chunk, bytes, (gssize) n), n, hash};
  g_array_append_val(builder->texts, text);
  builder->slots[at] = builder->texts->len;
  if (2 * (gsize) builder->texts->len > builder->n_slots)
    grow_slots(builder);
  return builder->texts->len - 1;
}

const char *
lac_trace_builder_get_text(const LacTraceBuilder *builder, guint32 text)
{
  return g_array_index(builder->texts, LacTraceText, text).bytes;
}

/* ---- processes and threads ---- */

static gboolean
is_same(LacTraceId a, LacTraceId b)
{
  return a.kind == b.kind && a.value == b.value;
}

/* Returns: its index. */
static guint
find_process(LacTraceBuilder *builder, LacTraceId id)
{
  for (guint i = 0; i < builder->processes->len; i++) {
    if (is_same(g_array_index(builder->processes, LacTraceProcess, i).id, id))
      return i;
  }
  LacTraceProcess process = {.id = id, .name = LAC_TRACE_UNNAMED, .labels = LAC_TRACE_UNNAMED};
  g_array_append_val(builder->processes, process);
  return builder->processes->len - 1;
}

static LacTraceProcess *
process_at(LacTraceBuilder *builder, guint process)
{
  return &g_array_index(builder->processes, LacTraceProcess, process);
}

static LacTraceThread *
thread_at(LacTraceBuilder *builder, guint thread)
{
  return &g_array_index(builder->threads, LacTraceThread, thread);
}

static gboolean
is_called(LacTraceBuilder *builder, guint thread, LacTraceId process, LacTraceId id)
{
  const LacTraceThread *found = thread_at(builder, thread);
  return is_same(found->id, id) && is_same(process_at(builder, found->process)->id, process);
}

gint
lac_trace_builder_thread(LacTraceBuilder *builder, LacTraceId process, LacTraceId id)
{
  const guint64 mixed = ((guint64) process.value * 31 + (guint64) id.value) * 8 +
                        (guint64) process.kind * 3 + (guint64) id.kind;
  guint32 *recent = &builder->recent[(mixed ^ mixed >> 16) % LAC_TRACE_N_RECENT];
  if (*recent != 0 && is_called(builder, *recent - 1, process, id))
    return (gint) *recent - 1;
  for (guint i = 0; i < builder->threads->len; i++) {
    if (!is_called(builder, i, process, id))
      continue;
    *recent = i + 1;
    return (gint) i;
  }
  if (builder->threads->len >= LAC_TRACE_MOST_THREADS)
    return -1;
  LacTraceThread thread = {
    .process = find_process(builder, process), .id = id, .name = LAC_TRACE_UNNAMED};
  g_array_append_val(builder->threads, thread);
  *recent = builder->threads->len;
  return (gint) *recent - 1;
}

void
lac_trace_builder_name_process(LacTraceBuilder *builder, LacTraceId process, guint32 name)
{
  process_at(builder, find_process(builder, process))->name = name;
}

void
lac_trace_builder_label_process(LacTraceBuilder *builder, LacTraceId process, guint32 labels)
{
  process_at(builder, find_process(builder, process))->labels = labels;
}

void
lac_trace_builder_sort_process(LacTraceBuilder *builder, LacTraceId process, gint64 rank)
{
  process_at(builder, find_process(builder, process))->rank = rank;
}

void
lac_trace_builder_name_thread(LacTraceBuilder *builder, gint thread, guint32 name)
{
  thread_at(builder, (guint) thread)->name = name;
}

void
lac_trace_builder_sort_thread(LacTraceBuilder *builder, gint thread, gint64 rank)
{
  thread_at(builder, (guint) thread)->rank = rank;
}

const char *
lac_trace_builder_get_title(const LacTraceBuilder *builder)
{
  for (guint i = 0; i < builder->processes->len; i++) {
    guint32 name = g_array_index(builder->processes, LacTraceProcess, i).name;
    if (name != LAC_TRACE_UNNAMED)
      return lac_trace_builder_get_text(builder, name);
  }
  return "";
}

/* ---- records ---- */

static void
grow_records(LacTraceBuilder *builder)
{
  builder->n_room = MAX(FIRST_RECORDS, builder->n_room + builder->n_room / 2);
  builder->records = g_renew(LacRecord, builder->records, builder->n_room);
}

void
lac_trace_builder_add(LacTraceBuilder *builder, const LacRecord *record)
{
  if (builder->n_records == builder->n_room)
    grow_records(builder);
  builder->records[builder->n_records++] = *record;
  lac_trace_watch(thread_at(builder, record->lane), record);
}

void
lac_trace_builder_begin(LacTraceBuilder *builder, const LacRecord *record)
{
  LacTraceThread *thread = thread_at(builder, record->lane);
  if (thread->open == NULL)
    thread->open = g_array_new(FALSE, FALSE, sizeof(LacRecord));
  g_array_append_vals(thread->open, record, 1);
}

gboolean
lac_trace_builder_end(LacTraceBuilder *builder, gint thread_number, gint64 time_ns)
{
  LacTraceThread *thread = thread_at(builder, (guint) thread_number);
  if (thread->open == NULL || thread->open->len == 0)
    return FALSE;
  LacRecord record = g_array_index(thread->open, LacRecord, thread->open->len - 1);
  g_array_set_size(thread->open, thread->open->len - 1);
  record.duration_ns = MAX(time_ns - record.start_ns, 0);
  lac_trace_builder_add(builder, &record);
  return TRUE;
}
