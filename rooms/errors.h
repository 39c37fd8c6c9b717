/* The error codes of the wire. */
#ifndef BW_ERRORS_H
#define BW_ERRORS_H

#include "engine/schema.h"

/* In the order of precedence where PROTOCOL gives one. */
#define BW_ERROR_CODES(E)                      \
    E(BW_ERROR_TOO_LARGE, "too_large")         \
    E(BW_ERROR_BAD_JSON, "bad_json")           \
    E(BW_ERROR_BAD_MESSAGE, "bad_message")     \
    E(BW_ERROR_UNKNOWN_TYPE, "unknown_type")   \
    E(BW_ERROR_NO_SEAT, "no_seat")             \
    E(BW_ERROR_WRONG_STATUS, "wrong_status")   \
    E(BW_ERROR_PAUSED, "paused")               \
    E(BW_ERROR_NOT_YOUR_TURN, "not_your_turn") \
    E(BW_ERROR_ILLEGAL, "illegal")             \
    E(BW_ERROR_NOT_ALLOWED, "not_allowed")     \
    E(BW_ERROR_ROLE_TAKEN, "role_taken")       \
    E(BW_ERROR_ROLE_RESERVED, "role_reserved") \
    E(BW_ERROR_NO_SUCH_GAME, "no_such_game")   \
    E(BW_ERROR_RATE_LIMITED, "rate_limited")   \
    E(BW_ERROR_DRAINING, "draining")           \
    E(BW_ERROR_STORAGE, "storage")             \
    E(BW_ERROR_NOT_FOUND, "not_found")
BW_ENUM(bw_error_code, BW_ERROR_CODES);

#endif
