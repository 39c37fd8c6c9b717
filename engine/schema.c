#include "engine/schema.h"

const bw_schema bw_nothing_schema = {
    .name = "bw_nothing", .doc = "no fields", .size = sizeof(bw_nothing), .count = 0, .fields = NULL};
