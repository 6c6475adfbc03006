/** The part of a JSON Schema that says which keys there are. */
export interface SchemaNode {
  $ref?: string | undefined;
  properties?: { [key: string]: SchemaNode } | undefined;
  additionalProperties?: SchemaNode | boolean | undefined;
  definitions?: { [name: string]: SchemaNode } | undefined;
}

/**
 * The key at a JSON Pointer into a configuration, as docs/configuration.md lists it: `mcpServers.NAME.timeoutMs`. `NAME` stands for
 * names of the user. Of what a key has no keys for, such as the items of a list, it is the key itself; `undefined` at the root.
 */
export function nameConfigKey(pointer: string, schema: SchemaNode): string | undefined {
  const names: string[] = [];
  let node = schema;
  for (const word of pointer.split("/").slice(1)) {
    const isKey = node.properties !== undefined && Object.hasOwn(node.properties, word);
    const next = isKey ? node.properties?.[word] : node.additionalProperties;
    if (typeof next !== "object") break;
    const target = resolveNode(next, schema);
    // Names of the user are listed only where keys follow.
    if (!isKey && target.properties === undefined) break;
    names.push(isKey ? word : "NAME");
    node = target;
  }
  if (names.at(-1) === "NAME") names.pop();
  return names.length === 0 ? undefined : names.join(".");
}

function resolveNode(node: SchemaNode, root: SchemaNode): SchemaNode {
  const name = node.$ref?.replace("#/definitions/", "");
  return name === undefined ? node : { ...root.definitions?.[name], ...node };
}
