import type { HttpReply } from "../request/exchange.ts";

const HINTS: Readonly<Record<number, string>> = {
  400: "Compare the arguments with the schema of the tool.",
  403: "The login is not allowed to do this; use one with more rights.",
  404: "Check the ids in the arguments; some servers answer 404 for things that this login may not see.",
  405: "The server does not know this method here; its document may be of another version.",
  406: "The server cannot answer in a media type that the document names.",
  408: "Try again.",
  409: "Read the current state, then try again.",
  410: "It existed and was removed.",
  412: "It has changed in the meantime: read it again, then try again.",
  413: "Send less.",
  415: "The server does not take the media type that the document names.",
  422: "The server refuses the values: compare them with the schema of the tool and the message above.",
  428: "Read it first and send its version along.",
  501: "The server does not do this.",
};

/** What to do after an answer of 3xx, 4xx or 5xx. */
export function hintOfStatus({ status, headers }: HttpReply, variables: string[]): string {
  if (status < 400)
    return "No login goes to another host. With --follow-redirects a GET is read there without one, from the public network and origins of --trust-origin.";
  if (status === 401) return hintForLogin(variables);
  const wait = headers["retry-after"];
  const delay = wait !== undefined && /^[\w ,:-]{1,40}$/.test(wait) ? ` Retry-After: ${wait}.` : "";
  if (status === 429) return `There were too many requests; wait before the next one.${delay}`;
  const known = HINTS[status];
  if (known !== undefined) return `${known}${delay}`;
  if (status >= 500) return `The server failed; try again later if the call may be repeated.${delay}`;
  return `Compare the call with the document of the API.${delay}`;
}

function hintForLogin(variables: string[]): string {
  if (variables.length === 0) return "The server wants a login: give it with --header.";
  return `The server wants a login: set ${variables.join(" or ")}, or renew what is set, or give --header.`;
}
