/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that would make a recorded run shorter (experiment/speed-advice.h), as text and JSON. Any thread. */
#pragma once

#include "experiment/speed-advice.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* @folder: of the run, or a file in it, from which its settings are read; @capture: its records. Returns: (transfer full)
 * (element-type LacSpeedAdvice): empty for an experiment that is not registered or settings that are not understood. */
GArray *lac_speed_advice_of_run(const char *folder, const LacCapture *capture);

/* Appends one line for each of @advice (element-type LacSpeedAdvice), with the options of the command line. */
void lac_speed_advice_print(const GArray *advice, GString *text);
/* Adds the member "advice", an array of objects {"setting", "now", "value", "operation", "share", "gain", "text"};
 * "setting" is null where nothing need be changed. */
void lac_speed_advice_add_json(const GArray *advice, JsonBuilder *builder);

G_END_DECLS
