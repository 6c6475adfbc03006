import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { emitSignature } from "../../templates/emit-signature.ts";

/**
 * A module that compiles where each tool's whole declaration can stand wherever its short signature does: its input type
 * accepts no less and its output type promises no less.
 */
export function printSignatureChecks(lockfile: Lockfile, moduleOf: (serverId: string) => string): string {
  const servers = [...lockfile.servers.values()].map(({ id, tools }, serverIndex) => {
    const checks = tools.map((tool, index) => {
      const name = `short_${serverIndex}_${index}`;
      const signature = emitSignature(tool).replace(`function ${tool.exportName}(`, `declare function ${name}(`);
      // The signature marks parts that are cut from an input.
      const [input = "", output = ""] = signature.split("): Promise<");
      const narrowed = `${input.replaceAll("unknown /*…*/", "never")}): Promise<${output}`;
      return `${narrowed.replace("export declare", "declare")}\nexport const whole_${name}: typeof ${name} = server_${serverIndex}.${tool.exportName};`;
    });
    return `import * as server_${serverIndex} from "${moduleOf(id)}";\n${checks.join("\n")}\n`;
  });
  return ['import type { JsonText, McpResult } from "@codemode/runtime/results";', ...servers].join("\n");
}
