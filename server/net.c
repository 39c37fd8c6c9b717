#include "server/net.h"

void bw_response_header(bw_response *response, const char *name, const char *value) {
    if (response->header_count < BW_NET_HEADERS_MAX) {
        response->headers[response->header_count++] = (bw_header){name, value};
    }
}
