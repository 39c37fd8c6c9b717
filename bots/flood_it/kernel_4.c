#define FLOOD_WORDS 4
#include "kernel.h"
