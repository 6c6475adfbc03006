// Preloaded by a test: Node resolves none of the programs that bundle or generate.
import { register } from "node:module";

const hooks = String.raw`
export function resolve(specifier, context, next) {
  if (/^(rollup|oxc-transform|typescript|@ts-morph\/common|json-schema-to-typescript)($|\/)/.test(specifier)) {
    throw new Error(specifier + " was loaded");
  }
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
