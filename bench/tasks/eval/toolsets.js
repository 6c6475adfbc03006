import { blankTimes } from "../score/count-tokens.js";
import { listPlainTools } from "../score/list-plain-tools.js";

/** Names that all providers accept. */
const toModelName = (name) => name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

/**
 * The tools that a model gets, and how its calls are made: `codemode` has the run tool as it is served, `plain` the tools of all servers. What the
 * model reads and writes has fixed places in it, so that a recorded conversation fits the next run.
 */
export async function makeToolsets(opened) {
  const { client, engine, world } = opened;
  const { tools: served } = await client.listTools();
  const plain = listPlainTools(engine.lockfile).map((tool) => ({
    ...tool,
    path: tool.name,
    name: toModelName(tool.name),
  }));
  const paths = new Map(plain.map(({ name, path }) => [name, path]));
  const unblank = (input) => JSON.parse(world.unblank(JSON.stringify(input)));
  const blank = (text) => blankTimes(world.blank(text));
  return {
    codemode: {
      tools: served.map((tool) => ({ ...tool, name: toModelName(tool.name) })),
      async call(_name, input) {
        const { content } = await client.callTool(
          { name: "codemode.run", arguments: unblank(input) },
          { timeout: 150_000 },
        );
        return blank(printBlocks(content));
      },
    },
    plain: {
      tools: plain.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      async call(name, input) {
        const path = paths.get(name);
        if (path === undefined) return `There is no tool ${name}.`;
        const { result, reply } = await engine.tryTool(path, unblank(input));
        return blank(result === undefined ? JSON.stringify(reply) : printBlocks(result.content ?? []));
      },
    },
  };
}

function printBlocks(blocks) {
  return blocks.map((block) => (block.type === "text" ? block.text : JSON.stringify(block))).join("\n");
}
