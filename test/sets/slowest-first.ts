import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SLOWEST } from "./long-tests.ts";

/** Begins with the slowest files: a clone has no durations of an earlier run, and a slow file that begins last is waited for alone. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = SLOWEST.indexOf(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/"));
      return place === -1 ? SLOWEST.length : place;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of a sequencer
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}
