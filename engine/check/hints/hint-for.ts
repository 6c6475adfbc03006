import { NAME_CODES } from "../left-to-bundler.ts";
import { ts } from "../typescript.ts";
import { describeType } from "./describe-type.ts";
import type { HintContext } from "./hint-context.ts";
import { hintForCall } from "./hint-for-call.ts";
import { hintForImport } from "./hint-for-import.ts";
import { hintForIndex } from "./hint-for-index.ts";
import { hintForMismatch } from "./hint-for-mismatch.ts";
import { hintForName } from "./hint-for-name.ts";
import { hintForNullish } from "./hint-for-nullish.ts";
import { hintForOperation } from "./hint-for-operation.ts";
import { hintForProperty } from "./hint-for-property.ts";
import { hintForUnknown } from "./hint-for-unknown.ts";

type Hinter = (context: HintContext) => string | undefined;

/** Who knows what to do about which of TypeScript's errors. */
const HINTERS = new Map<number, Hinter>(
  (
    [
      [
        hintForMismatch,
        [2322, 2345, 2353, 2326, 2328, 2375, 2379, 2559, 2560, 2561, 2739, 2740, 2741, 2769, 2820, 2352],
      ],
      [hintForCall, [2554, 2555, 2556, 2575, 2349, 2721, 2722, 2723]],
      [hintForName, NAME_CODES],
      [hintForImport, [2305, 2307, 2614, 2724]],
      [hintForProperty, [2339, 2550, 2551, 2568, 2570, 2576]],
      [hintForUnknown, [2571, 18046]],
      [hintForNullish, [2531, 2532, 2533, 18047, 18048, 18049, 18050]],
      [hintForOperation, [2362, 2363, 2365, 2356, 2367, 2461, 2488, 2495, 2504, 2548, 2549, 2698, 2801]],
      [hintForIndex, [2493, 2536, 2538, 7015, 7017, 7052, 7053]],
      [
        () => "Give it a type, such as `(item: { name: string }) => …`, or `any`.",
        [7005, 7006, 7008, 7018, 7019, 7031, 7034],
      ],
      [() => "Declare it with `let` instead of `const`.", [2588]],
      [() => "Give it a value where it is declared, or in every branch before.", [2454, 2564]],
      [() => "Copy it first, with `{ ...value }` or `[...values]`, and change the copy.", [2540, 2542]],
    ] as const
  ).flatMap(([hinter, codes]) => codes.map((code) => [code, hinter] as const)),
);

/** One action that fixes a type error, for an agent without declarations and editor. */
export function hintFor(code: number, context: HintContext): string {
  return HINTERS.get(code)?.(context) ?? hintForAnything(context);
}

function hintForAnything({ node, checker }: HintContext): string {
  const general = "Change the expression so that the types agree.";
  if (!ts.isExpression(node)) return general;
  return `${general} The type of \`${node.getText().slice(0, 40)}\` is \`${describeType(checker.getTypeAtLocation(node), checker)}\`.`;
}
