import { askHost } from "./ask-host.ts";

/** The name under which the host answers for the results of earlier runs. No server can have it. */
const RESULTS = "@codemode/results";

/** The value behind `@codemode/results/<id>`. Throws `CodemodeError` where it is not kept any more. */
export function recallResult(id: string): Promise<unknown> {
  return askHost(RESULTS, id, {}, OUTSIDE);
}

const OUTSIDE = {
  message: "Results of earlier runs exist only inside a codemode sandbox.",
  hint: "Compute the value in this program.",
};
