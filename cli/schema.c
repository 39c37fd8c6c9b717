#include "cli/wire.h"

int cli_schema(int argc, char **argv) {
    bool ts = false, json = false, markdown = false;
    const cli_option options[] = {
        CLI_FLAG("--ts", &ts, "TypeScript types (the default): web/src/lib/generated/wire.ts"),
        CLI_FLAG("--json", &json, "JSON Schema (2020-12): docs/schema.json"),
        CLI_FLAG("--markdown", &markdown, "tables: the generated part of docs/PROTOCOL.md"),
    };
    const cli_usage usage = {
        .command = "schema",
        .operands = "[--ts|--json|--markdown]",
        .about = "Prints all wire types, from the declarations that drive the encoder and the decoder.",
        CLI_OPTIONS(options),
    };
    int count = cli_parse(&usage, argc, argv, NULL);
    if (count < 0) return cli_exit(count);
    if (ts + json + markdown > 1) {
        return cli_wrong("schema takes one format: --ts, --json or --markdown.");
    }
    if (json) schema_json();
    else if (markdown) schema_markdown();
    else schema_typescript();
    return CLI_OK;
}
