/** Notes the calls of runs with their whole results, as plain tool calls would have put them into a model's context. */
export function makeCallLog() {
  let calls = [];
  /** By run and number, until they are settled. */
  const open = new WeakMap();
  const hear = (event) => {
    if (event.type === "run-started") open.set(event.run, new Map());
    if (event.type === "call-checked") {
      const call = { tool: `${event.serverId}/${event.toolName}`, input: event.input() };
      calls.push(call);
      open.get(event.run).set(event.number, call);
    }
    if (event.type === "call-settled") open.get(event.run).get(event.number).result = event.result();
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
