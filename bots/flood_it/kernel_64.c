#define FLOOD_WORDS 64
#include "kernel.h"
