/* Certificates for the values that solve.h finds: each side's strategy, position by position, small enough to be
 * checked by a program that knows nothing but the rules (cli/certificate.h). docs/CERTIFICATES.md has the format.
 *
 * The weather's part says: in a position with at least these fields flooded, whatever else is, the adventurer is
 * trapped within n moves. It follows the patterns. The adventurer's part says: with at least these fields dry, it
 * completes n more moves. It is found by asking for a flood that the answers so far do not meet, answering it, and so
 * on until there is none; the fields that an answer needs are what its own answers need, so that one answer serves for
 * many positions.
 *
 *   bw_island_proof proof = {.config = config, .at_least = 11, .at_most = 11, .write_bytes = ...};
 *   bw_island_prove(&proof, memory, bytes);      false: no memory, or keep_going said so
 *
 * The weather's part is small for every grid; the adventurer's grows by about four with every move. */
#ifndef BW_ISLAND_PROOF_H
#define BW_ISLAND_PROOF_H

#include "bots/flooded_island/solve.h"

typedef struct bw_island_proof {
    bw_island_config config;
    int at_least, at_most;          /* moves, as in a bw_island_value; at_least 0 and at_most 365 claim nothing */
    bool (*keep_going)(void *user); /* may be NULL */
    void *user;
    void (*write_bytes)(void *write_user, const char *bytes, size_t length);
    void *write_user;
    uint32_t day_nodes, night_nodes; /* results: positions of the adventurer's and of the weather's strategy */
} bw_island_proof;

/* `bytes` of memory, aligned to 64. */
bool bw_island_prove(bw_island_proof *proof, void *memory, size_t bytes);

#endif
