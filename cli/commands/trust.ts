import {
  describeStart,
  listProjectStarts,
  type ProjectStarts,
  recordTrust,
  revokeTrust,
} from "../../engine/trust-project.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command } from "../command.ts";
import { loadConfig } from "../../engine/load-config.ts";

/** `codemode trust`: shows what the project starts and hands over, and records the approval of this account. */
export const trust: Command = async ({ options, context }) => {
  const { note, result } = context.output;
  if (options.has("list") && options.has("revoke"))
    throw optionInvalid("--revoke", "it cannot be combined with --list");
  const config = await loadConfig(context);
  if (options.has("revoke")) {
    const wasTrusted = await revokeTrust(config.folder);
    note(wasTrusted ? "This project is no longer trusted on this account." : "This project was not trusted.");
    return 0;
  }
  const starts = listProjectStarts(config);
  const { trusted, untrusted } = starts;
  for (const line of describe(starts)) result(line);
  if (options.has("list")) return 0;
  await recordTrust(config.folder, [...trusted, ...untrusted]);
  note(untrusted.length === 0 ? "This project was already trusted." : "This project is now trusted on this account.");
  return 0;
};

function describe({ trusted, untrusted }: ProjectStarts): string[] {
  if (trusted.length + untrusted.length === 0) return ["The configuration starts nothing."];
  return [
    ...(trusted.length === 0 ? [] : ["Trusted:", ...trusted.map(describeStart)]),
    ...(untrusted.length === 0 ? [] : ["Not trusted yet:", ...untrusted.map(describeStart)]),
  ];
}
