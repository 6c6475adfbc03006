import { codeMode } from "codemode";
import { codemodeScript } from "./codemode-script.js";
import { OWN_FUNCTIONS } from "./own-functions.js";

/** codemode with functions of the process that asks. */
export async function open({ isolation }) {
  const code = await codeMode({ everything: OWN_FUNCTIONS }, { isolation, concurrency: 1 });
  return {
    async run(work) {
      const answer = await code.run({ code: codemodeScript(work), name: "script.ts" });
      if (answer.result === null) throw new Error(JSON.stringify(answer.diagnostics).slice(0, 300));
      return answer.result;
    },
    close: () => code.close(),
  };
}
