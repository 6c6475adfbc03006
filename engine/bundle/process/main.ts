// The process that parses what agents send. It holds no credential, and the host lives on when it dies.
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { answerMessages } from "../../process/answer-messages.ts";
import { bundleScript } from "../bundle-script.ts";
import type { BundleRequest } from "./bundler.ts";

let known: Lockfile = { servers: new Map() };

let isAsked = false;

answerMessages((question) => {
  const { script, options, lockfile = known } = question as BundleRequest;
  isAsked = true;
  known = lockfile;
  return bundleScript(script, { ...options, lockfile });
});

// Loads the compilers and makes them warm before the first script comes, unless one is waiting already.
const WARM_UPS = [
  'import { ToolCallError } from "@codemode/errors";\nexport default ToolCallError as unknown;\n',
  // A namespace is left to Rollup.
  'import * as errors from "@codemode/errors";\nexport default errors as unknown;\n',
];
const warmUp = async (): Promise<void> => {
  for (const code of WARM_UPS) {
    if (!isAsked) await bundleScript({ name: "script.ts", code }, { generatedFolder: "", lockfile: known });
  }
};
setImmediate(() => void warmUp());
