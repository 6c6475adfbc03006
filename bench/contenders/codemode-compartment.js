import { open as openHost } from "./codemode-host.js";

/** The same with a Compartment of its own for each run, in processes that serve one client. */
export function open(options) {
  return openHost({ ...options, isolation: "compartment" });
}
