import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import type { ReportedCall, ShownText } from "../../../../schemas/run/run-report.ts";
import { cutText } from "./measure-text.ts";

/** Of each input and output, and of all together. */
const MAX_BYTES = 4 * 1024;
const MAX_BYTES_IN_ALL = 2 * 1024 * 1024;

/** Keeps the beginnings of what calls carried, as long as there is room. */
export interface PayloadShelf {
  keep(input: string | Buffer, output: string | Buffer | undefined): Pick<ReportedCall, "payloads">;
}

/** Without `isWanted` nothing is kept. */
export function makePayloadShelf(isWanted: boolean): PayloadShelf {
  let room = MAX_BYTES_IN_ALL;
  const cut = (text: string | Buffer): ShownText => {
    const shown = cutText(text, Math.min(MAX_BYTES, room));
    room -= Buffer.byteLength(shown.text);
    return shown;
  };
  return {
    keep(input, output) {
      if (!isWanted) return {};
      return {
        payloads: {
          input: cut(input),
          ...withoutUndefined({ output: output === undefined ? undefined : cut(output) }),
        },
      };
    },
  };
}
