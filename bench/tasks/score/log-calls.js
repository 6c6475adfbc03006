/** Notes the calls of runs with their whole results, as plain tool calls would have put them into a model's context. */
export function makeCallLog() {
  let calls = [];
  const hear = (event) => {
    if (event.type !== "call-settled") return;
    calls.push({ tool: `${event.serverId}/${event.toolName}`, input: event.input(), result: event.result() });
  };
  return {
    hear,
    /** The calls since the last time. */
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
