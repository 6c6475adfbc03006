import { digestText } from "../../runtime/host/digest-text.ts";
import { maskTexts } from "../../schemas/secrets/mask-json.ts";
import type { ScriptToApprove } from "../../schemas/run/approval.ts";
import { INNER_START } from "../bundle/program/wrap-program.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { RunRequest } from "./host.ts";

/**
 * A script as it is shown to who approves it.
 * @param mask takes the credentials of the configuration out of a text
 */
export function toScriptToApprove(
  { bundle, isPinned, request }: { bundle: Bundle; request: RunRequest; isPinned: boolean },
  mask: (text: string) => string,
): ScriptToApprove {
  const { script, input = null } = request;
  // What a bundle says of its own source need not be what runs.
  const files = isPinned ? partsOf(bundle.code, script.name) : filesOf(bundle, script);
  const packages = (bundle.packages ?? []).map(({ name, version }) => `${name}@${version}`);
  return maskTexts({ files, packages, input, digest: digestText(bundle.code) }, mask);
}

type Files = ScriptToApprove["files"];

function filesOf({ map }: Bundle, { name, code }: RunRequest["script"]): Files {
  const others = map.sources.flatMap((source, index) => {
    const text = map.sourcesContent?.[index];
    return source === name || typeof text !== "string" ? [] : [{ name: source, code: text }];
  });
  return [{ name, code }, ...others];
}

function partsOf(program: string, name: string): Files {
  const start = program.lastIndexOf(`\n${INNER_START}\n`);
  if (start === -1) return [{ name, code: program }];
  return [
    { name: `${name}, as a program`, code: program.slice(start + 1) },
    { name: "what stands before it", code: program.slice(0, start) },
  ];
}
