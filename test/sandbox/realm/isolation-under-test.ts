import type { Reuse } from "../../../runtime/sandbox/pool/idle-processes.ts";
import type { Isolation } from "../../../schemas/config/config-file.ts";

/** `TEST_ISOLATION=realm` runs the tests that use this at that level. */
export const ISOLATION = (process.env["TEST_ISOLATION"] ?? "process") as Isolation;

/** `TEST_COMMAND="bwrap …"` runs the same tests with sandboxes that this program starts. */
export const COMMAND = process.env["TEST_COMMAND"]?.split(" ");

/** What a pool and its runs need for that level. */
export const LEVEL: { reuse: Reuse | undefined; trustDomain: string } = {
  reuse: ISOLATION === "process" ? undefined : { times: 1000, renew: ISOLATION },
  trustDomain: "tests",
};
