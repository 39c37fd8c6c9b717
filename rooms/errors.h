/* The error codes of the wire. */
#ifndef BW_ERRORS_H
#define BW_ERRORS_H

#include "engine/schema.h"

/* As string literals, for constants. */
#define BW_CODE_TOO_LARGE "too_large"
#define BW_CODE_BAD_JSON "bad_json"
#define BW_CODE_BAD_MESSAGE "bad_message"
#define BW_CODE_UNKNOWN_TYPE "unknown_type"
#define BW_CODE_NO_SEAT "no_seat"
#define BW_CODE_WRONG_STATUS "wrong_status"
#define BW_CODE_PAUSED "paused"
#define BW_CODE_NOT_YOUR_TURN "not_your_turn"
#define BW_CODE_ILLEGAL "illegal"
#define BW_CODE_NOT_ALLOWED "not_allowed"
#define BW_CODE_ROLE_TAKEN "role_taken"
#define BW_CODE_ROLE_RESERVED "role_reserved"
#define BW_CODE_NO_SUCH_GAME "no_such_game"
#define BW_CODE_RATE_LIMITED "rate_limited"
#define BW_CODE_DRAINING "draining"
#define BW_CODE_STORAGE "storage"
#define BW_CODE_NOT_FOUND "not_found"

/* In the order of precedence where PROTOCOL gives one. */
#define BW_ERROR_CODES(E)                            \
    E(BW_ERROR_TOO_LARGE, BW_CODE_TOO_LARGE)         \
    E(BW_ERROR_BAD_JSON, BW_CODE_BAD_JSON)           \
    E(BW_ERROR_BAD_MESSAGE, BW_CODE_BAD_MESSAGE)     \
    E(BW_ERROR_UNKNOWN_TYPE, BW_CODE_UNKNOWN_TYPE)   \
    E(BW_ERROR_NO_SEAT, BW_CODE_NO_SEAT)             \
    E(BW_ERROR_WRONG_STATUS, BW_CODE_WRONG_STATUS)   \
    E(BW_ERROR_PAUSED, BW_CODE_PAUSED)               \
    E(BW_ERROR_NOT_YOUR_TURN, BW_CODE_NOT_YOUR_TURN) \
    E(BW_ERROR_ILLEGAL, BW_CODE_ILLEGAL)             \
    E(BW_ERROR_NOT_ALLOWED, BW_CODE_NOT_ALLOWED)     \
    E(BW_ERROR_ROLE_TAKEN, BW_CODE_ROLE_TAKEN)       \
    E(BW_ERROR_ROLE_RESERVED, BW_CODE_ROLE_RESERVED) \
    E(BW_ERROR_NO_SUCH_GAME, BW_CODE_NO_SUCH_GAME)   \
    E(BW_ERROR_RATE_LIMITED, BW_CODE_RATE_LIMITED)   \
    E(BW_ERROR_DRAINING, BW_CODE_DRAINING)           \
    E(BW_ERROR_STORAGE, BW_CODE_STORAGE)             \
    E(BW_ERROR_NOT_FOUND, BW_CODE_NOT_FOUND)
BW_ENUM(bw_error_code, BW_ERROR_CODES);

#endif
