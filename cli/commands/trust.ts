import { listStarts, type ProjectStart } from "../../runtime/host/trust/project-starts.ts";
import { listUntrusted } from "../../runtime/host/trust/assert-trusted.ts";
import { recordTrust, revokeTrust } from "../../runtime/host/trust/record-trust.ts";
import { optionInvalid } from "../../schemas/errors.ts";
import type { Command } from "../command.ts";
import { describeStart } from "../../engine/host/describe-start.ts";
import { loadConfig } from "../../engine/project/config/load-config.ts";

/** `codemode trust`: shows what the project starts and hands over, and records the consent of this account. */
export const trust: Command = async ({ args, options, context }) => {
  const { note, result } = context.output;
  const [stranger] = args;
  if (stranger !== undefined)
    throw optionInvalid("trust", `unexpected argument "${stranger}": trust covers the whole project`);
  if (options.has("list") && options.has("revoke"))
    throw optionInvalid("--revoke", "it cannot be combined with --list");
  const config = await loadConfig(context);
  if (options.has("revoke")) {
    const wasTrusted = await revokeTrust(config.folder);
    note(wasTrusted ? "This project is no longer trusted on this account." : "This project was not trusted.");
    return 0;
  }
  const starts = listStarts(config);
  const untrusted = listUntrusted(config);
  for (const line of describe(starts, untrusted)) result(line);
  if (options.has("list")) return 0;
  await recordTrust(config.folder, starts);
  note(untrusted.length === 0 ? "This project was already trusted." : "This project is now trusted on this account.");
  return 0;
};

function describe(starts: readonly ProjectStart[], untrusted: readonly ProjectStart[]): string[] {
  if (starts.length === 0) return ["The configuration starts nothing."];
  const digests = new Set(untrusted.map(({ digest }) => digest));
  const trusted = starts.filter(({ digest }) => !digests.has(digest));
  return [
    ...(trusted.length === 0 ? [] : ["Trusted:", ...trusted.map(describeStart)]),
    ...(untrusted.length === 0 ? [] : ["Not trusted yet:", ...untrusted.map(describeStart)]),
  ];
}
