// Makes dist/schemas/config-check.js from config.schema.json: the check of a configuration as plain code, so that no command compiles the schema to find out
// that all is well. With it goes the text of the schema, by which a check that is older than the schema is recognized.
import { readFile, writeFile } from "node:fs/promises";
import { cleanSchema, toSchemaDocument } from "../dist/schemas/json-schema/clean-schema.js";
import { printValidator } from "../dist/templates/validators/print-validator.js";

const folder = new URL("../dist/schemas/", import.meta.url);
const schema = await readFile(new URL("config.schema.json", folder), "utf8");
const { source } = printValidator(toSchemaDocument(cleanSchema(JSON.parse(schema), "output")));
await writeFile(new URL("config-check.js", folder), `${source}\nexport const schema = ${JSON.stringify(schema)};\n`);
