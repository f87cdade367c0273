#pragma once
#include "app/session/workbench.h"
#define lac_workbench_get_active_session(w) \
  (lac_workbench_is_busy(w) ? lac_workbench_get_session(w) : NULL)
#define lac_workbench_show_active(w)  ((void) (w))
#define lac_session_get_experiment(s) "kolmogorov"
