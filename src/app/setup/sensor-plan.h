/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sensor planner of a run for the window: opened and evaluated in threads, never on the main thread.
 * Signals: changed (state or progress), replaced (other positions were chosen), scored (scores of a layout). */
#pragma once

#include "app/setup/sensor-layout.h"
#include "run/plan/planner.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_SENSOR_PLAN (lac_sensor_plan_get_type())
G_DECLARE_FINAL_TYPE(LacSensorPlan, lac_sensor_plan, LAC, SENSOR_PLAN, GObject)

typedef enum {
  LAC_SENSOR_PLAN_CLOSED,
  LAC_SENSOR_PLAN_OPENING,
  LAC_SENSOR_PLAN_READY,
  LAC_SENSOR_PLAN_REFUSED,
} LacSensorPlanState;

/* Closes the previous plan. Copies what it needs. */
void lac_sensor_plan_open(LacSensorPlan *plan, const LacRunSettings *settings);
void lac_sensor_plan_close(LacSensorPlan *plan); /* cancels */

LacSensorPlanState lac_sensor_plan_get_state(LacSensorPlan *plan);
/* Returns: (transfer full): the current activity, or the reason for the failure. */
char  *lac_sensor_plan_dup_message(LacSensorPlan *plan);
double lac_sensor_plan_get_fraction(LacSensorPlan *plan);

/* (transfer none) (nullable): NULL until the plan is ready. Its markers are the positions that the settings choose. */
LacFrame *lac_sensor_plan_get_backdrop(LacSensorPlan *plan);

/* Chooses the positions again with @draft, which differs from the plan's only in LacPlanning.light; the newest request
 * wins. Then "replaced" is emitted, or "scored" with the reason. */
void lac_sensor_plan_replace(LacSensorPlan *plan, const LacDraft *draft);

/* Requests the scores of @layout; the newest request wins: "scored" is emitted for the last layout requested, and for
 * some of those before it. */
void lac_sensor_plan_evaluate(LacSensorPlan *plan, const LacSensorLayout *layout);
/* Gets the figures of the last evaluation. Returns: (nullable): why there are no figures; NULL if there are. */
const char *lac_sensor_plan_get_figures(LacSensorPlan *plan, LacLayoutFigures *figures);

G_END_DECLS
