import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Events whose runs may hold a write token while they look at the code of a fork. */
const PRIVILEGED = ["pull_request_target", "workflow_run", "issue_comment"];

export const CHECKS = ["lock", "diff", "generate", "scripts"];

/**
 * What the steps are asked for, by variables that the Action and the template of GitLab set.
 * @throws where one is wrong, or the event is one that would run the code of a fork with a write token
 */
export function readSettings(env) {
  const event = env.GITHUB_EVENT_NAME ?? "";
  if (PRIVILEGED.includes(event)) {
    throw new Error(
      `The event ${event} is refused: it runs the code of a fork beside a write token. Use pull_request.`,
    );
  }
  const checks = (env.REVIEW_CHECKS || CHECKS.join(" ")).split(/[\s,]+/).filter((name) => name !== "");
  const unknown = checks.find((name) => !CHECKS.includes(name));
  if (unknown !== undefined) throw new Error(`The check "${unknown}" is unknown: choose of ${CHECKS.join(", ")}.`);
  return {
    folder: resolve(env.REVIEW_FOLDER || "."),
    name: env.REVIEW_FOLDER || ".",
    config: env.REVIEW_CONFIG || undefined,
    checks,
    failOn: oneOf(env.REVIEW_FAIL_ON || "drift", ["drift", "breaking", "never"], "fail-on"),
    resultFile: resolve(env.REVIEW_RESULT || join(env.RUNNER_TEMP || tmpdir(), "codemode-review.json")),
  };
}

function oneOf(value, known, name) {
  if (!known.includes(value)) throw new Error(`${name} is "${value}": choose of ${known.join(", ")}.`);
  return value;
}

/** Options of codemode that every step gives. */
export function optionsOf({ config }) {
  return config === undefined ? [] : ["--config", config];
}
