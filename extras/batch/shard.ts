/** One of equal parts of a batch: part `index`, from 1, of `count`. */
export interface Shard {
  index: number;
  count: number;
}

/** Lines are dealt out in turn, so that parts of a sorted file take about as long as each other. */
export function isInShard(line: number, shard: Shard | undefined): boolean {
  return shard === undefined || (line - 1) % shard.count === shard.index - 1;
}

/** Reads `2/4`; undefined where it is no part of a whole. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  return toShard(Number(index), Number(count));
}

/** What the variables of a scheduler say: the part of this process, or what is missing. */
export type FoundShard = { by: string; shard: Shard } | { by: string; problem: string };

/**
 * The part of the work that a scheduler has given to this process; undefined where none speaks of parts. Kubernetes counts from 0 and does not say
 * how many there are, which `JOB_COMPLETIONS` has to; a Slurm array counts from its least index by its step; GitLab counts from 1.
 */
export function findShard(env: { readonly [name: string]: string | undefined }): FoundShard | undefined {
  const numberOf = (name: string, missing = NaN): number =>
    /^\d{1,9}$/.test(env[name] ?? "") ? Number(env[name]) : missing;
  const conclude = (by: string, index: number, count: number, needs: string): FoundShard => {
    const shard = toShard(index, count);
    return shard === undefined
      ? { by, problem: `${by} is set, but no part follows from it and ${needs}` }
      : { by, shard };
  };
  if (env["JOB_COMPLETION_INDEX"] !== undefined) {
    const [index, count] = [numberOf("JOB_COMPLETION_INDEX") + 1, numberOf("JOB_COMPLETIONS")];
    return conclude("JOB_COMPLETION_INDEX", index, count, "JOB_COMPLETIONS (the `completions` of the Job)");
  }
  if (env["SLURM_ARRAY_TASK_ID"] !== undefined) {
    const from = numberOf("SLURM_ARRAY_TASK_MIN", 0);
    const index = (numberOf("SLURM_ARRAY_TASK_ID") - from) / numberOf("SLURM_ARRAY_TASK_STEP", 1) + 1;
    const needs = "SLURM_ARRAY_TASK_COUNT, _MIN and _STEP";
    return conclude("SLURM_ARRAY_TASK_ID", index, numberOf("SLURM_ARRAY_TASK_COUNT"), needs);
  }
  if (env["CI_NODE_INDEX"] === undefined) return undefined;
  return conclude("CI_NODE_INDEX", numberOf("CI_NODE_INDEX"), numberOf("CI_NODE_TOTAL"), "CI_NODE_TOTAL");
}

function toShard(index: number, count: number): Shard | undefined {
  return Number.isInteger(index) && index >= 1 && index <= count ? { index, count } : undefined;
}
