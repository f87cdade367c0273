/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wake of src/perf/recorder/wake.h, every interleaving: a consumer that sleeps until it is woken gets every message. After a
 * lost wake-up it sleeps for ever: an invalid end state. */
#define POSTS 4

byte posted = 0;
byte rung = 0;
bool raised = false;

proctype Producer()
{
  byte i;
  bool before;
  for (i : 1 .. POSTS) {
    posted++;
    atomic { before = raised; raised = true };
    if
    :: before
    :: else -> rung++
    fi
  }
}

active proctype Consumer()
{
  byte taken = 0;
  run Producer();
  do
  :: taken == POSTS -> break
  :: else ->
    atomic { rung > 0 -> rung-- };
#ifdef DRAIN_FIRST
    taken = posted;
    raised = false
#else
    raised = false;
    taken = posted
#endif
  od
}
