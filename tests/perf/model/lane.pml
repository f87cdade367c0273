/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lane of src/perf/recorder/lane.c with a ring of two, every interleaving: all records arrive, in order. Counters wrap. */
#define RECORDS 6
#define SIZE 2
#define START 254 /* of 256 */
#define COUNT(from, to) (((to) - (from)) & 255)

byte slots[SIZE];
byte head = START;
byte tail = START;
bool overflowing = false;
bool locked = false;
chan list = [RECORDS] of { byte };
chan stolen = [RECORDS] of { byte };

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline push(value, done)
{
  done = false;
  if
  :: COUNT(seen_tail, head) >= SIZE -> seen_tail = tail
  :: else
  fi;
  if
  :: COUNT(seen_tail, head) >= SIZE
  :: else ->
#ifdef PUBLISH_FIRST
    head = head + 1;
    slots[(head - 1) & (SIZE - 1)] = value;
#else
    slots[head & (SIZE - 1)] = value;
    head = head + 1;
#endif
    done = true
  fi
}

proctype Producer()
{
  byte seen_tail = START;
  byte i;
  bool done;
  for (i : 0 .. RECORDS - 1) {
    done = false;
    if
    :: overflowing
    :: else -> push(i, done)
    fi;
    if
    :: done
    :: else ->
      lock();
      if
      :: overflowing
      :: else -> push(i, done)
      fi;
      if
      :: done
      :: else -> list ! i; overflowing = true
      fi;
      unlock()
    fi
  }
}

byte expected = 0;

inline take_ring(until)
{
  do
  :: tail != until ->
    assert(slots[tail & (SIZE - 1)] == expected);
    expected++;
    tail = tail + 1
  :: else -> break
  od
}

inline take_stolen()
{
  do
  :: stolen ? value -> assert(value == expected); expected++
  :: empty(stolen) -> break
  od
}

active proctype Consumer()
{
  byte older, value;
  run Producer();
  do
  :: expected == RECORDS -> break
  :: else ->
    if
    :: !overflowing -> older = head; take_ring(older)
    :: else ->
      lock();
      older = head;
      do
      :: list ? value -> stolen ! value
      :: empty(list) -> break
      od;
      overflowing = false;
      unlock();
#ifdef LIST_FIRST
      take_stolen();
      take_ring(older)
#else
#ifdef RING_UNBOUNDED
      older = head;
#endif
      take_ring(older);
      take_stolen()
#endif
    fi
  od;
  assert(empty(list) && head == tail)
}
