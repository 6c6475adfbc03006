// A process with SES in it that runs bundles one after the other, each in a Compartment of its own.
// oxlint-disable-next-line import/no-unassigned-import -- it adds globals
import "ses";

lockdown({ errorTaming: "unsafe", overrideTaming: "severe", stackFiltering: "verbose", localeTaming: "unsafe" });

process.on("message", async (code) => {
  const calls = [];
  const call = async (serverId, toolName, inputJson) => {
    calls.push([serverId, toolName, JSON.parse(inputJson)]);
    return JSON.stringify({ ok: true, value: `${toolName}:${inputJson}` });
  };
  const compartment = new Compartment({ globals: { __codemode_call__: harden(call) }, __options__: true });
  try {
    await compartment.evaluate(code);
    process.send({ result: compartment.globalThis.__codemode_result__, calls });
  } catch (error) {
    process.send({ error: String(error), stack: String(error?.stack), calls });
  }
});
process.send("ready");
