/* What a solver finds out about the puzzle of a room.
 *
 * Its answer comes at no certain time, and nobody waits for it. So it is kept until the next play, and becomes a
 * note just before that one: it moves seq like any other, the update of the play shows it, and it survives
 * whatever the play survives. It is no part of the match, so no hash and no game file can tell when it came. */
#include "rooms/internal.h"

enum { SOLVER_BUDGET_MS = 10000 }; /* a bound for very busy machines: its effort ends a solver long before */

void bw_known_ask(bw_hall *hall, bw_room *room) {
    bw_think think = {.solver = bw_solver_find(room->game), .budget_ms = SOLVER_BUDGET_MS};
    uint64_t puzzle = room->game->puzzle ? room->game->puzzle(room->match.state) : 0;
    if (!think.solver || puzzle == 0 || room->solving || puzzle == room->known.puzzle || puzzle == room->found.puzzle) {
        return;
    }
    room->found = (bw_known){.puzzle = puzzle};
    room->solving = bw_work_send(hall, room, BW_WATCHER, think);
}

void bw_known_answer(bw_room *room, const bw_known *found) {
    room->solving = 0;
    if (found) {
        room->found.moves = found->moves;
        room->found.proven = found->proven;
    }
}

void bw_known_forget(bw_hall *hall, bw_room *room) {
    if (room->solving) {
        room->found = (bw_known){0};
    }
    bw_work_forget(hall, &room->solving);
}

void bw_known_note(bw_hall *hall, bw_room *room) {
    bw_note note = {.type = BW_NOTE_KNOWN};
    if (room->found.moves == 0 || room->found.puzzle == room->known.puzzle ||
        room->found.puzzle != room->game->puzzle(room->match.state)) {
        return;
    }
    note.as.known.moves = room->found.moves;
    note.as.known.proven = room->found.proven;
    bw_commit(hall, room, &note, NULL, NULL, true, (bw_cause){0});
}

const bw_known *bw_known_of(const bw_room *room, const bw_match *match) {
    const bw_known *known = BW_PLANTED(KNOWN_AT_ONCE) ? &room->found : &room->known;
    bool it = room->game->puzzle && known->moves && known->puzzle == room->game->puzzle(match->state);
    return it ? known : NULL;
}
