/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner of a run behind the window: opened and asked on threads of its own, never on this one.
 * Signals: changed (state or progress), judged. */
#pragma once

#include "app/sensor-layout.h"
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

/* Whatever was open is closed. Copies what it needs. */
void lac_sensor_plan_open(LacSensorPlan *plan, const LacRunSettings *settings);
void lac_sensor_plan_close(LacSensorPlan *plan); /* cancels */

LacSensorPlanState lac_sensor_plan_get_state(LacSensorPlan *plan);
/* Returns: (transfer full): what is being done, or why it could not be. */
char  *lac_sensor_plan_dup_message(LacSensorPlan *plan);
double lac_sensor_plan_get_fraction(LacSensorPlan *plan);

/* (transfer none) (nullable): until it is ready. */
LacFrame *lac_sensor_plan_get_backdrop(LacSensorPlan *plan);

/* Newest wins: judged comes for the last layout asked, and for some before it. */
void lac_sensor_plan_evaluate(LacSensorPlan *plan, const LacSensorLayout *layout);
/* Of the last judgement. Returns: (nullable): why there are no figures. */
const char *lac_sensor_plan_get_figures(LacSensorPlan *plan, LacLayoutFigures *figures);

G_END_DECLS
