// Runs modules in plain Node, each once, and says what each came to.
import { inspect } from "node:util";

// Programs write to the console, and reject promises that they handle too late for Node.
console.log = console.error = console.warn = () => undefined;
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

process.on("message", async ({ id, code, url }) => {
  process.send({
    id,
    outcome: await run(url ?? `data:text/javascript,${encodeURIComponent(`${code}// ${Math.random()}`)}`),
  });
});

async function run(url) {
  try {
    const { default: result } = await import(url);
    return { kind: "value", text: String(result) };
  } catch (error) {
    // An error of V8's parser has no frame of a program.
    const isRefused = error instanceof SyntaxError && !/^ {4}at .*(data|file):/m.test(String(error.stack));
    if (isRefused) return { kind: "refused", text: "" };
    return { kind: "error", text: error instanceof Error ? `${error.name}: ${error.message}` : inspect(error) };
  }
}
