/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forwards records to external profilers. Their presence is checked once, when a recorder is created: the profiler
 * starts the program. */
#include "perf/recorder/sink.h"

#ifdef LAC_HAVE_SYSPROF
#  include <sysprof-capture.h>
#endif
#ifdef LAC_HAVE_NVTX
#  include <nvtx3/nvToolsExt.h>
#endif

struct _LacSink {
  LacPerf       *perf;
  LacSinkGetName get_name;
  gboolean       to_sysprof, to_nvtx;
#ifdef LAC_HAVE_NVTX
  nvtxDomainHandle_t domain;
#endif
};

#define WHO "Lacuna"

#ifdef LAC_HAVE_SYSPROF

/* GTK and this program may each have their own copy of the library: checks this one. */
static gboolean
sysprof_listens(void)
{
  return (g_getenv("SYSPROF_TRACE_FD") != NULL || g_getenv("SYSPROF_CONTROL_FD") != NULL) &&
         sysprof_collector_is_active();
}

/* A mark holds 64 bytes of lane and 40 of name; the library truncates longer ones. */
static void
mark(LacSink *sink, const char *lane, const LacRecord *record)
{
  const char      *name = sink->get_name(sink->perf, record->name);
  const gint64     duration_ns = record->kind == LAC_RECORD_MARK ? 0 : record->duration_ns;
  g_autofree char *message = g_strdup_printf("%s, step %" G_GINT64_FORMAT, lane, record->step);
  sysprof_collector_mark(record->start_ns, duration_ns, WHO, name, message);
}

#endif

#ifdef LAC_HAVE_NVTX

/* Environment variable by which NVIDIA's profilers inject themselves. */
static gboolean
nvtx_listens(void)
{
  return g_getenv("NVTX_INJECTION64_PATH") != NULL;
}

static nvtxEventAttributes_t
attributes(LacSink *sink, guint32 name)
{
  return (nvtxEventAttributes_t){
    .version = NVTX_VERSION,
    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
    .messageType = NVTX_MESSAGE_TYPE_ASCII, /* also holds UTF-8 */
    .message.ascii = sink->get_name(sink->perf, name),
  };
}

#endif

LacSink *
lac_sink_new(LacPerf *perf, LacSinkGetName get_name)
{
  LacSink sink = {.perf = perf, .get_name = get_name};
#ifdef LAC_HAVE_SYSPROF
  sink.to_sysprof = sysprof_listens();
#endif
#ifdef LAC_HAVE_NVTX
  sink.to_nvtx = nvtx_listens();
  if (sink.to_nvtx)
    sink.domain = nvtxDomainCreateA(WHO);
#endif
  return sink.to_sysprof || sink.to_nvtx ? g_memdup2(&sink, sizeof sink) : NULL;
}

void
lac_sink_free(LacSink *sink)
{
#ifdef LAC_HAVE_NVTX
  if (sink != NULL && sink->to_nvtx)
    nvtxDomainDestroy(sink->domain);
#endif
  g_free(sink);
}

void
lac_sink_begin(LacSink *sink G_GNUC_UNUSED, guint32 name G_GNUC_UNUSED)
{
#ifdef LAC_HAVE_NVTX
  if (!sink->to_nvtx)
    return;
  const nvtxEventAttributes_t what = attributes(sink, name);
  nvtxDomainRangePushEx(sink->domain, &what);
#endif
}

void
lac_sink_end(LacSink *sink G_GNUC_UNUSED)
{
#ifdef LAC_HAVE_NVTX
  if (sink->to_nvtx)
    nvtxDomainRangePop(sink->domain);
#endif
}

void
lac_sink_push(LacSink *sink G_GNUC_UNUSED, const char *lane G_GNUC_UNUSED, const LacRecord *record)
{
  if (record->kind != LAC_RECORD_SPAN && record->kind != LAC_RECORD_AGGREGATE &&
      record->kind != LAC_RECORD_MARK)
    return;
#ifdef LAC_HAVE_SYSPROF
  if (sink->to_sysprof)
    mark(sink, lane, record);
#endif
#ifdef LAC_HAVE_NVTX
  if (sink->to_nvtx && record->kind == LAC_RECORD_MARK) {
    const nvtxEventAttributes_t what = attributes(sink, record->name);
    nvtxDomainMarkEx(sink->domain, &what);
  }
#endif
}
