import type { ServerSource } from "./config.ts";

/** Values that replace those of a server for one client; placeholders still in place. */
export interface ServerValues {
  /** Of a stdio server. */
  env?: { [name: string]: string };
  /** Of a remote server. */
  headers?: { [name: string]: string };
}

/** Whether anything is replaced: without it the client shares the server with all others. */
export function hasValues({ env = {}, headers = {} }: ServerValues): boolean {
  return Object.keys(env).length + Object.keys(headers).length > 0;
}

/** A server with some of its values replaced, and new ones added. Names of headers are compared without their case. */
export function replaceValues(source: ServerSource, { env = {}, headers = {} }: ServerValues): ServerSource {
  if (source.transport === "stdio") return { ...source, env: new Map([...source.env, ...Object.entries(env)]) };
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = [...source.headers].filter(([name]) => !names.has(name.toLowerCase()));
  return { ...source, headers: new Map([...kept, ...Object.entries(headers)]) };
}
