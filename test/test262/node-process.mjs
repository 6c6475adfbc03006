// Runs tests in plain Node, each in a realm of its own: a module, or the finished bundle of one.
import { createContext, Script, SourceTextModule } from "node:vm";

const TIMEOUT_MS = 5_000;

process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
process.on("message", async ({ id, code, isModule }) => {
  const outcome = await Promise.race([run(code, isModule), late()]);
  process.send({ id, outcome });
});

function late() {
  return new Promise((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, { kind: "error", text: "It has no end." }).unref();
  });
}

async function run(code, isModule) {
  const context = createContext({ setTimeout });
  let program;
  try {
    program = isModule ? new SourceTextModule(code, { context }) : new Script(code);
    if (isModule) await program.link(() => program);
  } catch (error) {
    return { kind: "refused", text: String(error) };
  }
  try {
    await (isModule
      ? program.evaluate({ timeout: TIMEOUT_MS })
      : program.runInContext(context, { timeout: TIMEOUT_MS }));
    return { kind: "value", text: "" };
  } catch (error) {
    return { kind: "error", text: `${error?.name}: ${error?.message}` };
  }
}
