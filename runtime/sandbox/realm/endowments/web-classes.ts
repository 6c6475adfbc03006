import type { Bridge } from "../../../../schemas/bridge.ts";
import { makeTextDecoder } from "./text-decoder.ts";
import { makeTextEncoder } from "./text-encoder.ts";
import { makeUrlSearchParams } from "./url-search-params.ts";
import { makeUrl } from "./url.ts";

/** The classes of the web that scripts find. */
export interface WebClasses {
  URL: unknown;
  URLSearchParams: unknown;
  TextEncoder: unknown;
  TextDecoder: unknown;
}

/** Made once in a process, as the intrinsics are: what they hold, they hold in their instances, and compartments harden them. */
export function makeWebClasses(bridge: Bridge): WebClasses {
  const params = makeUrlSearchParams(bridge);
  return {
    URL: makeUrl(bridge, params),
    URLSearchParams: params.URLSearchParams,
    TextEncoder: makeTextEncoder(),
    TextDecoder: makeTextDecoder(bridge),
  };
}
