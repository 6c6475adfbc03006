const { env } = globalThis.process;

/** Makes UTC the time zone of this process: Node tells V8 when this variable changes. */
export function useUtc(): void {
  env["TZ"] = "UTC";
}
