/** The references within a JSON Schema that lead to nothing in its `$defs`. */
export function listUnresolved(schema: object): string[] {
  const defs = Object.keys("$defs" in schema ? (schema.$defs as object) : {});
  const text = JSON.stringify(schema);
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference = ""]) => reference);
  return references.filter((reference) => !defs.some((name) => reference === `#/$defs/${name}`));
}
