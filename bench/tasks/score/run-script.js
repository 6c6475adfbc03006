import { blankTimes } from "./count-tokens.js";

/** Sends a script to the run tool, as an agent does. `text` is the answer as the model reads it. */
export async function runScript({ client, world }, code, settings = {}) {
  const params = { name: "codemode.run", arguments: { code: world.fillIn(code), ...settings } };
  const { content } = await client.callTool(params, { timeout: 150_000 });
  const [{ text }] = content;
  return { answer: JSON.parse(text), text: blankTimes(world.blank(text)) };
}
