/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for NVIDIA's profilers: a library injected by NVTX through an environment variable. It logs all events to
 * the file named by LACUNA_TEST_HEARD. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);

static FILE *heard;

static int
push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *what)
{
  fprintf(heard, "push %s\n", what->message.ascii);
  return domain != NULL;
}

static int
pop(nvtxDomainHandle_t domain)
{
  fputs("pop\n", heard);
  return domain != NULL;
}

static void
mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *what)
{
  fprintf(heard, "mark %s %d\n", what->message.ascii, domain != NULL);
}

static nvtxDomainHandle_t
create(const char *name)
{
  static char domain;
  fprintf(heard, "domain %s\n", name);
  return (nvtxDomainHandle_t) (void *) &domain;
}

static void
destroy(nvtxDomainHandle_t domain)
{
  fflush(heard);
  (void) domain;
}

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
  const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable               table = NULL;
  unsigned int                    n = 0;
  heard = fopen(getenv("LACUNA_TEST_HEARD"), "w");
  if (heard == NULL || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &n) == 0)
    return 0;
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer) push;
  *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer) pop;
  *table[NVTX_CBID_CORE2_DomainMarkEx] = (NvtxFunctionPointer) mark;
  *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer) create;
  *table[NVTX_CBID_CORE2_DomainDestroy] = (NvtxFunctionPointer) destroy;
  return 1;
}
