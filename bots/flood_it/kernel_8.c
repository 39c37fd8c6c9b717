#define FLOOD_WORDS 8
#include "kernel.h"
