import { makeCassettes } from "./cassettes.js";
import { MODEL_APIS } from "./model-apis.js";

const LONGEST_MS = 300_000;

/**
 * What sends a conversation to a model: to its endpoint, to the endpoint with each turn recorded, or to the recorded turns alone.
 * @param options `api`, `model`, `base`, `key`; with `cassettes`, `mode` is `record` or `replay`
 */
export function makeModel({ api: apiName, model, base, key, cassettes: folder, mode }) {
  const api = MODEL_APIS[apiName];
  const cassettes = folder === undefined ? undefined : makeCassettes(folder, key);
  return {
    api,
    async ask(conversation) {
      const request = api.request({ model, ...conversation });
      if (mode === "replay") return api.read(await cassettes.read(request));
      const reply = await send(`${base ?? api.base}${api.path}`, api.headers(key), request);
      if (mode === "record") await cassettes.write(request, reply);
      return api.read(reply);
    },
  };
}

/** The message of a failure has the provider's own words, and no header. */
async function send(url, headers, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The model's endpoint answered ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
