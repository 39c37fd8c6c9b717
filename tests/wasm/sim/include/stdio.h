/* For the simulated universe in the browser's build; libc.c implements it. */
#ifndef BW_SIM_STDIO_H
#define BW_SIM_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct FILE FILE;
#define stdout ((FILE *)1)
#define stderr ((FILE *)2)

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *to, size_t cap, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t cap, const char *format, va_list list);
int fputs(const char *text, FILE *to);
int fflush(FILE *to);
int sscanf(const char *text, const char *format, ...);

#endif
