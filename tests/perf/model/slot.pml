/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three slots of src/perf/slot.c, every interleaving: what is taken is whole, newer than before, and the last one
 * arrives. A payload is two words, written and read one after the other. */
#define FRAMES 4
#define FRESH 4

byte first[3], second[3];
byte shared = 2;

inline exchange(mine)
{
#ifdef TORN_EXCHANGE
  before = shared;
  shared = mine
#else
  atomic { before = shared; shared = mine }
#endif
}

proctype Producer()
{
  byte filling = 0, before, i;
  for (i : 1 .. FRAMES) {
    first[filling] = i;
    second[filling] = i;
    exchange(filling | FRESH);
    filling = before & 3
  }
}

active proctype Consumer()
{
  byte taken = 1, before, newest = 0, word;
  run Producer();
  do
  :: newest == FRAMES -> break
  :: else ->
    if
    :: (shared & FRESH) == 0
    :: else ->
      exchange(taken);
      taken = before & 3;
      word = first[taken];
      assert(word > newest);
      assert(second[taken] == word);
      assert(first[taken] == word);
      newest = word
    fi
  od
}
