/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places that can compute a run: a row for each, with time and memory. A place that cannot take the run says why.
 * Signal: chosen(backend), on user input. */
#pragma once

#include "app/toolkit/device-note.h"
#include "run/core/run.h"
#include "run/plan/cost.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_PLACE_LIST (lac_place_list_get_type())
G_DECLARE_FINAL_TYPE(LacPlaceList, lac_place_list, LAC, PLACE_LIST, AdwPreferencesGroup)

/* The run that the places are asked about. */
typedef struct {
  const LacRunSettings *settings;
  const LacCost        *cost; /* (nullable): on the processor of this machine; NULL: unknown */
  LacDeviceNote        *device;
} LacPlaceQuestion;

/* Answer of a place. Strings: (transfer full). */
typedef struct {
  char    *words;                 /* its parts that the run would use */
  char    *why;                   /* (nullable): why it cannot take the run */
  double   seconds, memory_bytes; /* NaN: unknown */
  gboolean is_redundant;          /* another place is the same for this run */
} LacPlaceAnswer;

/* Asks all places about @question, and marks the one that the settings name. */
void lac_place_list_show(LacPlaceList *list, const LacPlaceQuestion *question);

G_END_DECLS
