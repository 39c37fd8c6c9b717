/* Planted bugs, in a build of their own (tests/sim/planted): the simulator must catch each of them. In all other
 * builds BW_PLANTED is the constant false and the bugs are not compiled in. */
#ifndef BW_PLANTED_H
#define BW_PLANTED_H

#define BW_FAULTS(F)                                                                       \
    F(SEND_BEFORE_COMMIT, "clients are sent what the journal does not hold yet")           \
    F(STALE_CLOSE_EVICTS, "the close of an older socket frees the seat of the newer one")  \
    F(TWO_IN_A_SEAT, "the older socket of a token keeps acting")                           \
    F(FORGET_IDS, "a repeated id is applied again")                                        \
    F(FORGET_IDS_IN_A_CRASH, "ids are not restored with their room")                       \
    F(KEEP_ANSWERS_OF_FAILED, "what the journal lost stays acknowledged")                  \
    F(LOSE_THE_ID, "a refusal lacks the id of its message")                                \
    F(LEAK_STAGED, "everybody is sent what one player prepares")                           \
    F(HASH_COVERS_DRAFTS, "the hashes of the log depend on what players prepare")          \
    F(TOKEN_TO_ALL, "spectators are sent a player's token")                                \
    F(OLD_TOKEN_OPENS, "the token of a former holder still opens the seat")                \
    F(SEED_EARLY, "the log of a running game holds its seed")                              \
    F(DRIFT, "each round is due an interval after the last one was played")                \
    F(BURST, "after a stall all the missed rounds are played at once")                     \
    F(LOSE_THE_LAST_RECORD, "a room is rebuilt without its last record")                   \
    F(KEEP_AFTER_FAILURE, "a room stays as it was, though the journal failed")             \
    F(HIDE_DOUBT, "what may still come back after a crash is refused as if it were gone")  \
    F(FORGET_DRAFTS, "what players prepare is not journalled")                             \
    F(GAP_IN_MISSED, "a returning player misses an update for good")                       \
    F(REPLAY_AFTER_THE_END, "a game can have ended before its replay is stored")           \
    F(END_WITHOUT_FILE, "a long game can end though its older moves cannot be read")       \
    F(RECALL_LOSES_A_MOVE, "the file of a long game lacks a move that was read back")      \
    F(SOLVER_RESULT_AT_ONCE, "what a solver finds is shown before it is recorded")         \
    F(FORK_ONE_MORE, "a game is played on from the move after the one that was asked for") \
    F(STAND_IN_LOSES_ID, "who let a bot stand in is not known after a crash")              \
    F(STAND_IN_LOSES_ORDERS, "the orders of a bot that stands in are not journalled")      \
    F(SNAPSHOT_STOPS_THE_CLOCK, "a snapshot says only who is ready, not since when")       \
    F(CLAIM_EARLY, "a game is claimed from who has been away for half the time only")      \
    F(CLAIM_FOR_THE_OTHER, "a claim is a victory of the player who is away")               \
    F(CLAIM_LOSES_ID, "who claimed the game is not known after a crash")                   \
    F(RENAME_LOSES_ID, "a new name is stored without the id of its message")               \
    F(LEAK_ROOMS, "rooms that nobody is in stay in memory")

/* The same where several nodes are one server, on one database. */
#define BW_NODE_FAULTS(F)                                                                              \
    F(LEASE_FROM_THE_ANSWER, "a lease is counted from the answer, not from the question")              \
    F(TELL_AFTER_THE_LEASE, "a node tells what it has in memory after its lease is over")              \
    F(CANCEL_IS_SUCCESS, "a commit whose wait for the standby was cancelled counts as stored")         \
    F(READ_WITHOUT_BARRIER, "a new connection is used without having stored anything on it first")     \
    F(LOSS_UNNOTICED, "a node goes on though what was confirmed to it is gone")                        \
    F(GOES_ON_FENCED, "a node keeps its rooms though another has taken them")                          \
    F(DOUBT_IS_STORED, "a batch without an answer counts as stored")                                   \
    F(DOUBT_IS_LOST, "a batch without an answer is sent again without looking")                        \
    F(UNKNOWN_IS_REFUSED, "a batch without an answer is refused for good")                             \
    F(NUMBER_TWICE, "a batch has the number of the one before it")                                     \
    F(FENCE_WITHOUT_LOCK, "a batch looks at its epoch, and does not lock it")                          \
    F(FENCE_FORGOTTEN, "a batch does not look at its epoch")                                           \
    F(ADOPT_EARLY, "a node is taken for dead before its lease is over")                                \
    F(ALL_DEAD_AT_ONCE, "the first node back after an outage takes the others for dead")               \
    F(RENEWS_WHILE_HUNG, "a node keeps its rooms though its loop hangs")                               \
    F(ADOPT_UNFENCED, "rooms are taken from a dead node that could still write")                       \
    F(ADOPT_WITHOUT_LOCK, "rooms are taken from a dead node that is just coming back")                 \
    F(REJOIN_KEEPS_EPOCH, "what was sent on an older connection may come after the new one has begun") \
    F(HAND_OVER_EARLY, "a room is handed over before its last append is acknowledged")                 \
    F(HAND_TO_DRAINING, "a room is handed over to a node that is about to end as well")                \
    F(GIVEN_NOT_TAKEN, "a room that was given to a node is used without having stored that first")     \
    F(VISITORS_UNTOLD, "who visits a room that is about to move is heard, but not told its state")     \
    F(KEEP_WHAT_MOVED, "a room goes on at the node that has handed it over")                           \
    F(CLOCK_NOT_HANDED, "the next owner of a room does not know when its round is due")                \
    F(RELAY_REORDERS, "what is passed on changes its order")                                           \
    F(RELAY_OVERWRITES, "what a slow reader has not taken yet is written over")

#ifdef BW_PLANTS
#define BW_FAULT_CONSTANT(name, text) BW_FAULT_##name,
typedef enum bw_fault {
    BW_FAULT_NONE,
    BW_FAULTS(BW_FAULT_CONSTANT) BW_FAULT_OF_NODES,
    BW_NODE_FAULTS(BW_FAULT_CONSTANT) BW_FAULT_COUNT
} bw_fault;
extern bw_fault bw_planted_fault;
#define BW_PLANTED(name) (bw_planted_fault == BW_FAULT_##name)
#else
#define BW_PLANTED(name) false
#endif

#endif
