/* What is stored of a room makes the room that is in memory. A process that dies needs nothing else, and clients would notice
 * late, or never, what a snapshot leaves out.
 *
 * Everything durable is compared: seats and their answers, the position with what is prepared, the moves that are kept,
 * getting ready, the rematch. These need not be equal: refusals, and acknowledgements of what had no effect, which only a
 * snapshot keeps; what an offer of a rematch that nobody agrees to any more left behind; what a bot has prepared in a seat of
 * its own.
 *
 * It knows the hall's internals, and nothing of the universe, whose headers use some of the same names. */
#ifndef BW_SIM_MIRROR_H
#define BW_SIM_MIRROR_H

#include "rooms/hall.h"

typedef struct sim_mirror sim_mirror;

sim_mirror *sim_mirror_new(void);
void sim_mirror_free(sim_mirror *mirror);

/* Is the room in memory, and nothing of it on its way to the journal? */
bool sim_mirror_may_compare(const bw_hall *hall, const char *room);
/* The name of something that differs; NULL: nothing, or the room has gone on. `is_new`: a snapshot, which is being stored. */
const char *sim_mirror_compare(sim_mirror *mirror, const bw_hall *hall, const char *room, const bw_stored_room *stored,
                               bool is_new);

#endif
