// The process that parses what agents send. It holds no credential, and the host lives on when it dies.
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { answerMessages } from "../../process/answer-messages.ts";
import { bundleScript } from "../bundle-script.ts";
import type { BundleRequest } from "./messages.ts";

let known: Lockfile = { servers: new Map() };

let isAsked = false;

answerMessages(({ script, options, lockfile = known }: BundleRequest) => {
  isAsked = true;
  known = lockfile;
  return bundleScript(script, { ...options, lockfile });
});

// Loads the compilers and makes them warm before the first script comes, unless one is waiting already.
const WARM_UP = 'import { ToolCallError } from "@codemode/errors";\nexport default ToolCallError as unknown;\n';
setImmediate(() => {
  if (!isAsked) void bundleScript({ name: "script.ts", code: WARM_UP }, { generatedFolder: "", lockfile: known });
});
