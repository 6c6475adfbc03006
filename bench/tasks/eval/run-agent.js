const SYSTEM =
  "You work on a task with tools. Do all of the task before you answer. Your last message is the result that the task asks for, as JSON and nothing else.";

/**
 * The loop of an agent: asks the model, makes its calls one after the other, and ends with the first message without a call.
 * @returns the text of that message, the last answer of a tool, and what it took: turns, calls, and tokens as the provider counts them
 */
export async function runAgent({ model, toolset, prompt, maxTurns }) {
  const { api } = model;
  const messages = [api.ask(prompt)];
  const used = { turns: 0, calls: 0, input: 0, output: 0 };
  let answered;
  while (used.turns < maxTurns) {
    const { message, text, calls, tokens } = await model.ask({ system: SYSTEM, tools: toolset.tools, messages });
    used.turns += 1;
    used.calls += calls.length;
    used.input += tokens.input;
    used.output += tokens.output;
    if (calls.length === 0) return { ...used, text, answered };
    const results = [];
    for (const { id, name, input } of calls) {
      answered = await toolset.call(name, input);
      results.push({ id, text: answered });
    }
    messages.push(message, ...api.answer(results));
  }
  return { ...used, answered, text: "" };
}
