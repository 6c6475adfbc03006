import { describe, expect, test } from "vitest";
import { bundleOf, openBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

describe("TypeScript runs as it is written", () => {
  test.each([
    ["annotations and interfaces", `interface A { b: number } const a: A = { b: 1 }; export default a.b;`, 1],
    ["enums", `enum Level { Low = 1, High } export default [Level.High, Level[2]];`, [2, "High"]],
    ["constant enums", `const enum Level { Low = "low" } export default Level.Low;`, "low"],
    ["namespaces", `namespace Shapes { export const sides = 4; } export default Shapes.sides;`, 4],
    [
      "parameter properties",
      `class Point { constructor(readonly x: number, private y = 2) {} sum() { return this.x + this.y; } } export default new Point(1).sum();`,
      3,
    ],
    [
      "satisfies and as",
      `const a = { b: 1 } satisfies Record<string, number>; export default (a as { b: number }).b!;`,
      1,
    ],
    [
      "generics",
      `const first = <Item,>(items: Item[]): Item | undefined => items[0]; export default first<string>(["a"]);`,
      "a",
    ],
    ["casts in angle brackets", `const a: unknown = "b"; export default (<string>a).length;`, 1],
    [
      "overloads and abstract classes",
      `abstract class A { abstract b(): number; c(): number; c(x?: number) { return this.b() + (x ?? 1); } } class D extends A { b() { return 2; } } export default new D().c();`,
      3,
    ],
    [
      "declarations",
      `declare const nowhere: number; declare global { var anywhere: string } export default typeof nowhere;`,
      "undefined",
    ],
    [
      "optional chains and nullish assignments",
      `let a: { b?: { c: number } } | undefined; a ??= { b: { c: 1 } }; export default a?.b?.c;`,
      1,
    ],
    [
      "class fields",
      `class A { static count = 0; #hidden = 1; readonly shown: number = this.#hidden + 1; declare later: string } export default [new A().shown, Object.keys(new A())];`,
      [2, ["shown"]],
    ],
    [
      "top-level await in between",
      `const a: number = await Promise.resolve(1); export default a + await (async <T,>(x: T) => x)(2);`,
      3,
    ],
  ])("%s", async (_title, code, value) => {
    const { code: program } = bundleOf(await project.bundle(code));
    const answer = await compartments.run(program);
    expect(answer).toEqual({ result: value, calls: [] });
  });

  test("a type that is imported from a module beside it leaves nothing behind", async () => {
    project.write({ "rows.ts": `export interface Row { id: string } export const rows: Row[] = [{ id: "a" }];` });
    const code = `import { Row, rows } from "./rows.ts"; const first: Row | undefined = rows[0]; export default first?.id;`;
    const { code: program } = bundleOf(await project.bundle(code, "script.ts"));
    expect((await compartments.run(program)).result).toBe("a");
  });
});
