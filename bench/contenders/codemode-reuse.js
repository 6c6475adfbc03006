import { open as openHost } from "./codemode-host.js";

/** The same with processes that serve many runs of one client, one after the other. */
export function open(options) {
  return openHost({ ...options, reuse: 1000 });
}
