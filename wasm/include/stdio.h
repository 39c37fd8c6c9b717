/* What the hall says before it ends (wasm/include/stdlib.h) is said to nobody. */
#ifndef BW_WASM_STDIO_H
#define BW_WASM_STDIO_H

#define stderr 0
#define fputs(text, to) ((void)(text), (void)(to))

#endif
