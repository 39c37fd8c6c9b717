/* Included before every file of engine/, games/, bots/ and rooms/ (see meson.build).
 *
 * Calls that cannot be bounded, or that hide state, do not compile here.
 * The headers that declare them come first, so that only a use is an error. */
#ifndef BW_BAN_H
#define BW_BAN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef alloca /* glibc makes it a macro under _GNU_SOURCE */
#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol atof gets rand srand alloca

#endif
