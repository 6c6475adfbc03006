/** What starts a sandbox process. */
const SANDBOX = ["runtime/sandbox/pool/launch-plan.ts"];

/**
 * The programs that no test imports, because a process starts them or a page loads them, and for each the files that do so: the tests that
 * say first that it is broken. `npm run test:started` breaks each in turn and expects these tests to fail.
 */
export const STARTED_BY: Readonly<Record<string, readonly string[]>> = {
  "cli/main.ts": ["test/e2e/run-codemode.ts", "test/e2e/type-check.test.ts"],
  "cli/run-cli.ts": ["test/e2e/run-codemode.ts", "test/e2e/open-commands.ts", "test/e2e/call.test.ts"],
  "engine/bundle/process/main.ts": ["test/library/undo.test.ts", "test/spec/run.test.ts"],
  "engine/check/process/main.ts": ["test/e2e/check.test.ts"],
  "engine/process/linked/start-program.ts": ["test/e2e/call.test.ts"],
  "engine/project/emit-process/main.ts": ["test/engine/project/emit-apart.test.ts"],
  "extras/batch/index.ts": ["test/e2e/batch.test.ts"],
  "extras/completion/index.ts": ["test/e2e/completion.test.ts"],
  "extras/doctor/index.ts": ["test/e2e/doctor.test.ts"],
  "extras/install/index.ts": ["test/e2e/install.test.ts"],
  "extras/learn/index.ts": ["test/extras/learn/learn.test.ts"],
  "extras/observe/index.ts": ["test/e2e/telemetry.test.ts"],
  "extras/publish/index.ts": ["test/e2e/pack.test.ts"],
  "extras/record/index.ts": ["test/e2e/replay.test.ts"],
  "extras/stores/index.ts": ["test/e2e/serve-store.test.ts"],
  "extras/try/index.ts": ["test/extras/try.test.ts"],
  "extras/try/example-server.ts": ["test/extras/try.test.ts"],
  "extras/ui/index.ts": ["test/extras/ui/page.test.ts"],
  "extras/ui/page/main.ts": ["test/extras/ui/page.test.ts"],
  "extras/ui/report/client/main.ts": ["test/browser/report.test.ts"],
  "openapi/main.ts": ["test/openapi/command.test.ts"],
  "runtime/bindings/ask-host.ts": ["test/spec/run.test.ts"],
  "runtime/bindings/node/caller.ts": ["test/bindings/plain-node.test.ts"],
  "runtime/bindings/recall.ts": ["test/extras/stores/shared-results.test.ts"],
  "runtime/bindings/results.ts": ["test/spec/run.test.ts", "test/library/approve-calls.test.ts"],
  "runtime/sandbox/realm/boot/boot.ts": ["test/sandbox/realm/boot.test.ts", ...SANDBOX],
  "runtime/sandbox/realm/boot/main.ts": ["test/sandbox/realm/boot.test.ts", ...SANDBOX],
  "runtime/sandbox/realm/main.ts": ["test/sandbox/realm/boot.test.ts", ...SANDBOX],
};
