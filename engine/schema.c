#include "engine/schema.h"

/* Not NULL: walks over a schema's fields add to this pointer, be it zero. */
static const bw_field none[1];

const bw_schema bw_nothing_schema = {
    .name = "bw_nothing", .doc = "no fields", .size = sizeof(bw_nothing), .count = 0, .fields = none};
