/**
 * Reads what a person has pasted from the end of a login in another browser: the address that it ended on, its query, or the code alone.
 * @param state is what the address must repeat: an answer to another login could log the person in to another account
 * @returns the parameters of the answer, or what is wrong with it
 */
export function readPastedAnswer(text: string, state: string): URLSearchParams | string {
  const pasted = text.trim();
  if (pasted === "") return "Nothing was pasted.";
  if (/\s/.test(pasted)) return "That is more than one word.";
  const [, query] = /^(?:https?:\/\/[^?]*)?\?([^#]*)/.exec(pasted) ?? [];
  if (query === undefined) {
    if (pasted.includes(":")) return "That address has no answer in it.";
    const [code = "", given] = pasted.split("#");
    return given === undefined || given === state ? new URLSearchParams({ code }) : OF_ANOTHER;
  }
  const parameters = new URLSearchParams(query);
  if (!parameters.has("code") && !parameters.has("error")) return "That address has no answer in it.";
  return parameters.get("state") === state ? parameters : OF_ANOTHER;
}

const OF_ANOTHER = "That is the answer to another login.";
