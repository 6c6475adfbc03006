// Loaded before anything else, also by a Node that is too old: nothing here is younger than Node 14.

/** The oldest Node that codemode runs on, as in "engines" of package.json. */
export const OLDEST_NODE = { major: 20, minor: 20, patch: 0 };

/** What is printed on a Node that is too old; undefined on any other. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)) return undefined;
  const oldest = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}`;
  return `error: codemode needs Node ${oldest} or later; this is Node ${version.replace(/^v/, "")}.\nhint: Install a later Node, and start codemode with that.\n`;
}

/** Why codemode cannot run on what runs it, and the way on; undefined on Node. Yarn's Plug'n'Play has no `node_modules`, which sandboxes read. */
export function explainOtherEngine(versions: {
  readonly [name: string]: string | undefined;
}): { cause: string; hint: string } | undefined {
  const oldest = `Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later`;
  const other = versions["bun"] !== undefined ? "Bun" : versions["deno"] !== undefined ? "Deno" : undefined;
  if (other !== undefined) return { cause: `codemode does not run on ${other}.`, hint: `Start it with ${oldest}.` };
  if (versions["pnp"] === undefined) return undefined;
  return {
    cause: "codemode does not run under Yarn Plug'n'Play.",
    hint: "Set `nodeLinker: node-modules` in .yarnrc.yml, and run `yarn install`.",
  };
}
