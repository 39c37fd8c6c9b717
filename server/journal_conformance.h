/* See journal_conformance.c. */
#ifndef BW_JOURNAL_CONFORMANCE_H
#define BW_JOURNAL_CONFORMANCE_H

#include "server/journal_test_help.h"

void conforms_round_trip(void **state);
void conforms_replays(void **state);
void conforms_clock_ahead(void **state);
void conforms_played_ahead(void **state);
void conforms_sweep(void **state);
void conforms_any_batch(void **state);
void conforms_kills(void **state);
void conforms_many_rooms(void **state);

/* What does not need that it outlives the process. */
#define CONFORMANCE_IN_MEMORY(T) T(conforms_round_trip), T(conforms_replays), T(conforms_sweep), T(conforms_any_batch)

#define CONFORMANCE(T)                                                                                                 \
    T(conforms_round_trip), T(conforms_replays), T(conforms_clock_ahead), T(conforms_played_ahead), T(conforms_sweep), \
        T(conforms_any_batch), T(conforms_kills), T(conforms_many_rooms)

#endif
