import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What `preload-sdk.mjs` has written. */
export interface Exported {
  spans: ExportedSpan[];
  metrics: ExportedMetric[];
}

export interface ExportedSpan {
  name: string;
  /** As the API counts them: 0 internal, 1 server, 2 client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentId?: string;
  tracestate?: string;
  attributes: Record<string, unknown>;
  status: { code: number; message?: string };
  links: string[];
  events: { name: string; attributes?: Record<string, unknown> }[];
}

export interface ExportedMetric {
  name: string;
  unit: string;
  dataPoints: { attributes: Record<string, unknown>; value: number | { count: number; sum: number } }[];
}

const PRELOAD = pathToFileURL(resolve("test/extras/observe/telemetry/preload-sdk.mjs")).href;

/** The environment of a process with an SDK that keeps all in that file. */
export function withSdk(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import ${PRELOAD}`, TELEMETRY_FILE: file };
}

export async function readExported(file: string): Promise<Exported> {
  return JSON.parse(await readFile(file, "utf8")) as Exported;
}
