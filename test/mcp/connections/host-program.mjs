// A host that connects to the server given as JSON, says so, and ends in the way given: see shutdown.test.ts.

import { connectWithLogin } from "../../../runtime/mcp/connect-with-login.ts";

const [target, ending] = process.argv.slice(2);
await connectWithLogin(JSON.parse(target));

const endings = {
  exit: () => process.exit(0),
  throw: () => {
    throw new Error("uncaught");
  },
  reject: () => void Promise.reject(new Error("unhandled")),
  wait: () => undefined,
  "own-listener": () => undefined,
};
if (ending === "own-listener") process.on("SIGTERM", () => setTimeout(() => process.exit(42), 50));
process.stdout.write("connected\n", endings[ending]);
