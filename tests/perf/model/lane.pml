/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lane of src/perf/recorder/lane.c with rings of two, one spare and rings that the producer makes, every interleaving: all
 * records arrive, in order, and no ring has two owners. Counters wrap. */
#define RECORDS 7
#define SIZE 2
#define RINGS 5
#define NONE 255
#define START 254 /* of 256 */
#define COUNT(from, to) (((to) - (from)) & 255)

typedef Ring {
  byte slots[SIZE];
  byte head = START;
  byte tail = START;
  byte next = NONE;
};

Ring rings[RINGS];
byte spare = 1;  /* ring 0 is in use */
byte made = 2;   /* rings so far */
byte pushed = 0; /* published count */

inline put(ring, value)
{
  rings[ring].slots[rings[ring].head & (SIZE - 1)] = value;
  rings[ring].head = rings[ring].head + 1
}

proctype Producer()
{
  byte to = 0;
  byte i, ring;
  for (i : 0 .. RECORDS - 1) {
#ifdef COUNT_FIRST
    pushed = i + 1;
#endif
    if
    :: COUNT(rings[to].tail, rings[to].head) < SIZE -> put(to, i)
    :: else ->
      atomic { ring = spare; spare = NONE };
      if
      :: ring == NONE -> ring = made; made++; assert(made <= RINGS)
      :: else
      fi;
#ifdef LINK_EARLY
      rings[to].next = ring;
      pushed = i + 1;
#endif
      put(ring, i);
      rings[to].next = ring;
      to = ring
    fi;
    pushed = i + 1
  }
}

byte expected = 0;

inline give(ring)
{
  rings[ring].next = NONE;
  atomic {
    if
    :: spare == NONE -> spare = ring
    :: else /* freed */
    fi
  }
}

active proctype Consumer()
{
  byte from = 0;
  byte most, left;
  run Producer();
  do
  :: expected == RECORDS -> break
  :: else ->
#ifdef UNCOUNTED
    most = RECORDS;
#else
    most = pushed;
#endif
    do
    :: expected == most -> break
    :: else ->
      if
      :: rings[from].tail != rings[from].head ->
#ifdef DROP_FIRST
        rings[from].tail = rings[from].tail + 1;
        assert(rings[from].slots[(rings[from].tail - 1) & (SIZE - 1)] == expected);
#else
        assert(rings[from].slots[rings[from].tail & (SIZE - 1)] == expected);
        rings[from].tail = rings[from].tail + 1;
#endif
        expected++
      :: else ->
        left = from;
#ifdef UNCOUNTED
        if
        :: rings[from].next == NONE -> break
        :: else
        fi;
#endif
        assert(rings[from].next != NONE);
        from = rings[from].next;
        give(left)
      fi
    od
  od
}
