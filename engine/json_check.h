/* Inside the engine only: the strict grammar pass before jsmn (see json_check.c). */
#ifndef BW_JSON_CHECK_H
#define BW_JSON_CHECK_H

#include "engine/json.h"

/* 0, BW_JSON_BAD or BW_JSON_DEEP; `at`: the byte where it went wrong. */
int bw_json_check(const char *text, size_t length, int depth_max, size_t *at);
/* 0..15, or -1. */
int bw_hex_digit(unsigned char c);

#endif
