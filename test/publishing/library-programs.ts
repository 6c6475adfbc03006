import { findExamples } from "./readme-examples.ts";

/** The program of a README that uses codemode as a library. */
export function findLibraryProgram(readme: string): string {
  return findExamples(readme).find((example) => example.includes("openProject")) ?? "";
}

/** What a user may write with the types, and what they refuse. */
export const TYPED_USE = `
import { CodemodeError, openProject, type Diagnostic, type Engine, type EngineOptions, type RunAnswer } from "codemode";

const options: EngineOptions = { drift: "warn", approve: async ({ tools }) => tools.length < 3, concurrency: 2 };
export async function useProject(signal: AbortSignal): Promise<readonly Diagnostic[]> {
  const project = await openProject({ config: { mcpServers: { one: { command: "one" } } }, signal, env: undefined });
  const { changes, failures } = await project.diff({ servers: ["one"] });
  if (failures[0]?.error instanceof CodemodeError) throw failures[0].error;
  const engine: Engine = await project.openEngine(options);
  const answer: RunAnswer = await engine.run({ code: "export default 1;" }, { input: { changes: changes.length } });
  const { name, inputSchema, call } = engine.describeTool();
  const other = await call({ code: name, schema: inputSchema }, { signal });
  await engine.close({ graceMs: 100 });
  return [...answer.diagnostics, ...other.diagnostics];
}
// @ts-expect-error There is no such policy.
export const wrong: EngineOptions = { drift: "ignore" };
// @ts-expect-error A script is an object.
export const refused = async (engine: Engine): Promise<unknown> => engine.run("export default 1;");
`;

/** The same for the server of APIs, in a project without an SDK. */
export const TYPED_API = `
import { createOpenApiServer, OpenApiError, type OpenApiServer, type Transport } from "@codemode/openapi";
import { codeMode } from "codemode";

export async function useApi(transport: Transport, signal: AbortSignal): Promise<unknown> {
  const api: OpenApiServer = await createOpenApiServer("./pets.yaml", { mock: true, include: ["tag:pets"], signal });
  const code = await codeMode({ pets: api.makeServer });
  const server = api.makeServer();
  await server.connect(transport);
  await server.close();
  await code.close();
  return api.tools.map(({ name, inputSchema }) => [name, inputSchema.required?.length, api.base?.href]);
}
export const isMistake = (error: unknown): boolean => error instanceof OpenApiError && error.hint !== "";
// @ts-expect-error An option is misspelt.
export const misspelt: unknown = createOpenApiServer({}, { mocks: true });
// @ts-expect-error A server is no transport.
export const refused = (api: OpenApiServer): unknown => api.makeServer().connect(api);
`;

const COMMON = {
  target: "es2022",
  moduleDetection: "force",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};

/** Settings of users: with the types of a browser, or with those of Node. `typeRoots` is where the latter are. */
export function makeSettings(typeRoots: string): { [file: string]: object } {
  return {
    "tsconfig.json": { ...COMMON, module: "nodenext", lib: ["es2022", "dom"], types: [] },
    "tsconfig.bundler.json": {
      ...COMMON,
      ...{ module: "esnext", moduleResolution: "bundler", lib: ["es2022"], types: ["node"], typeRoots: [typeRoots] },
    },
  };
}
