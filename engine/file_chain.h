/* Used only inside the engine: the chain of hashes that runs through a game file (see file.h). */
#ifndef BW_FILE_CHAIN_H
#define BW_FILE_CHAIN_H

#include "engine/file.h"

/* `head`: the first line, without its `,"seed"` or closing brace and everything after it. */
void bw_chain_start(bw_chain *chain, const char *head, size_t length);
/* `line`: without its `,"hash"` and everything after it. `match`: the position after it. */
void bw_chain_add(bw_chain *chain, const char *line, size_t length, const bw_match *match);

#endif
