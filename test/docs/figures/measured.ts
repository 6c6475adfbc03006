/** A section whose figures were measured: by a program, from the root of the repository, or as the words say. */
export interface Measured {
  page: string;
  section: string;
  by?: string;
  how?: string;
}

export const MEASURED: readonly Measured[] = [
  { page: "CONTRIBUTING.md", section: "", by: "scripts/coverage.js" },
  { page: "docs/batches.md", section: "many-processes", by: "test/scale/batch.scale.ts" },
  {
    page: "docs/containers.md",
    section: "the-images",
    how: "the proportional set (smaps_rollup) of all processes in the container, idle and with eight runs",
  },
  {
    page: "docs/doctor.md",
    section: "what-is-looked-at",
    how: "the proportional set (smaps_rollup) of the servers of deploy/project",
  },
  {
    page: "docs/engines.md",
    section: "what-each-holds",
    how: "bench/engine-starts.js for the commands; the start of an isolate and the processor time of a run in workerd",
  },
  { page: "docs/durable.md", section: "measured", by: "test/scale/durable.scale.ts" },
  { page: "docs/install.md", section: "agents-with-a-shell", by: "test/templates/skill.test.ts" },
  { page: "docs/openapi.md", section: "beside-others", by: "bench/openapi-peers.js" },
  { page: "docs/packages.md", section: "sizes", by: "bench/package-sizes.js" },
  { page: "docs/ui.md", section: "reports", by: "test/schemas/estimate-tokens.test.ts" },
  { page: "docs/performance.md", section: "cold-and-hot", by: "bench/cases/cold.js" },
  {
    page: "docs/performance.md",
    section: "how-a-run-gets-its-process",
    how: "the processor time of a start without the namespaces; the proportional set of three waiting processes",
  },
  { page: "docs/performance.md", section: "what-an-installation-brings", by: "bench/installs.js" },
  { page: "docs/search.md", section: "how-good-it-is", by: "bench/search.js" },
  { page: "docs/tokens.md", section: "", by: "bench/tokens.js" },
  { page: "docs/performance.md", section: "what-10000-agents-cost", by: "bench/capacity.js" },
  {
    page: "docs/performance.md",
    section: "servers-of-a-replica",
    how: "threads and proportional sets (smaps_rollup) of servers, serve and runs in deploy/project",
  },
  { page: "docs/verification.md", section: "containers", by: "test/containers" },
  { page: "docs/verification.md", section: "scaling", by: "test/scale/replicas.scale.ts" },
  { page: "docs/verification.md", section: "search", by: "bench/search.js" },
  { page: "docs/verification.md", section: "soundness", by: "test/templates/json-schema-test-suite.test.ts" },
  { page: "docs/verification.md", section: "times-and-sizes", by: "bench/generate.js" },
];

/** Pages that a program writes whole from what it measured, and the test that compares all of a page with that. */
export const PRINTED: { [page: string]: string } = { "docs/gallery.md": "test/bench/gallery.test.ts" };
