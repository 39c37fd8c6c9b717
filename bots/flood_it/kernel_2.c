#define FLOOD_WORDS 2
#include "kernel.h"
