import { openProject } from "codemode";
import { codemodeScript } from "./codemode-script.js";

/** codemode as a library in the process that asks, as the peers are used: by what the package exports, and nothing else. */
export async function open({ project, poolSize = 1, isolation, frozen = false }) {
  const opened = await openProject({ cwd: project });
  const engine = await opened.openEngine({
    concurrency: poolSize,
    isolation,
    drift: frozen ? "refuse" : "refresh",
    frozen,
    refuseBy: "tool",
  });
  return {
    async run(work) {
      const answer = await engine.run({ code: codemodeScript(work), name: "script.ts" });
      if (answer.result === null) throw new Error(JSON.stringify(answer.diagnostics).slice(0, 300));
      return answer.result;
    },
    close: () => engine.close(),
  };
}
