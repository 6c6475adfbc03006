/* The parts of Cloudflare's runtime that are used here, and the modules that the build writes. */

declare module "cloudflare:workers" {
  export class WorkerEntrypoint {
    protected env: unknown;
  }
}

declare module "codemode:isolate" {
  /** The text of `isolate.ts`, linked. */
  const text: string;
  export default text;
}

declare module "codemode:project" {
  import type { BuiltProject } from "./built-project.ts";
  export const project: BuiltProject;
}

declare module "codemode:script" {
  /** Runs the script. */
  const program: () => unknown;
  export default program;
}
