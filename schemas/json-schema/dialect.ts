import { isJsonObject, type JsonValue, ownValue } from "../json/json.ts";

/** The editions of JSON Schema that codemode reads; older ones are read as draft-07. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** The dialect that `$schema` names; 2020-12 where it names none, as MCP says (SEP-1613). */
export function dialectOf(schema: JsonValue | undefined): Dialect {
  const uri = isJsonObject(schema) ? ownValue(schema, "$schema") : undefined;
  if (typeof uri !== "string") return "2020-12";
  if (/draft-0[3467]/.test(uri)) return "draft-07";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}
