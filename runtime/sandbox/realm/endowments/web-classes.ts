import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { allowOverridesOf } from "../shims/allow-overrides.ts";
import { makeBase64 } from "./base64.ts";
import { type DomExceptionClass, makeDomException } from "./dom-exception.ts";
import { makeStructuredClone } from "./structured-clone.ts";
import { makeTextDecoder } from "./text-decoder.ts";
import { makeTextEncoder } from "./text-encoder.ts";
import { makeUrlSearchParams } from "./url-search-params.ts";
import { makeUrl } from "./url.ts";

/** The classes and functions of the web that know of no run. */
export interface WebClasses {
  URL: unknown;
  URLSearchParams: unknown;
  TextEncoder: unknown;
  TextDecoder: unknown;
  DOMException: DomExceptionClass;
  structuredClone: unknown;
  atob: unknown;
  btoa: unknown;
}

/** Made once in a process, as the intrinsics are: what they hold, they hold in their instances, and compartments harden them. */
export function makeWebClasses(bridge: Bridge): WebClasses {
  const params = makeUrlSearchParams(bridge);
  const DOMException = makeDomException();
  const URL = makeUrl(bridge, params);
  for (const { prototype } of [URL as { prototype: object }, params.URLSearchParams as { prototype: object }])
    allowOverridesOf(prototype);
  return {
    URL,
    URLSearchParams: params.URLSearchParams,
    TextEncoder: makeTextEncoder(),
    TextDecoder: makeTextDecoder(bridge),
    DOMException,
    structuredClone: makeStructuredClone(DOMException),
    ...makeBase64(bridge, DOMException),
  };
}
