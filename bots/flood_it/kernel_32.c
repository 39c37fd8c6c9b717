#define FLOOD_WORDS 32
#include "kernel.h"
