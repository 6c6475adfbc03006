/** Notes the calls of runs with their whole results, as plain tool calls would have put them into a model's context. */
export function makeCallLog() {
  let calls = [];
  const observer = {
    runStarted: () => ({
      callStarted({ serverId, toolName, input }) {
        const call = { tool: `${serverId}/${toolName}`, input: input() };
        calls.push(call);
        return { ended: (end) => void (call.result = end.result()) };
      },
    }),
  };
  return {
    observer,
    /** The calls since the last time. */
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
