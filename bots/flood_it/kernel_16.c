#define FLOOD_WORDS 16
#include "kernel.h"
