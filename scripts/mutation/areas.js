/**
 * The code whose tests are tried with mutants, by area. Each has the tests that run its code in their own process and take little time: a mutant
 * that survives has met all of them that reach it.
 */
export const AREAS = {
  schemas: {
    mutate: ["schemas/**/*.ts", "!schemas/{diff,json-schema,secrets}/**"],
    tests: ["test/schemas/*.test.ts"],
  },
  diff: {
    mutate: ["schemas/diff/*.ts"],
    tests: ["test/schemas/diff/*.test.ts", "test/templates/releases.test.ts"],
  },
  "json-schema": {
    mutate: ["schemas/json-schema/*.ts"],
    tests: ["test/schemas/json-schema/*.test.ts", "test/host/{output-check,compile-schema}.test.ts"],
  },
  secrets: {
    mutate: ["schemas/secrets/*.ts"],
    tests: ["test/schemas/secrets/*.test.ts"],
  },
  checks: {
    mutate: [
      "runtime/host/checks/{admit-call,seek-approval,review-manifest,is-loosened,refuse,input-check,output-check}.ts",
      "runtime/host/checks/{linear-regexp,compile-schema,equality-keywords,describe-missing-consent}.ts",
      "runtime/host/{make-tool-host,make-tool-caller,mask-credentials,resolve-target}.ts",
      "runtime/host/lock/live-lock.ts",
      "runtime/host/trust/*.ts",
      "runtime/host/sandbox/{limits,parse-foreign-json}.ts",
    ],
    tests: [
      "test/host/{admit-call,seek-approval,make-tool-caller,review-manifest,is-loosened,live-lock,live-lock-calls,trust}.test.ts",
      "test/host/{input-check,output-check,mask-parts,check-edges,compile-schema,cap-limits}.test.ts",
      "test/host/connections/resolve-target.test.ts",
      "test/host/sandbox/parse-foreign-json.test.ts",
    ],
  },
  runs: {
    mutate: ["runtime/host/sandbox/{conduct-run,idle-processes}.ts"],
    tests: ["test/host/sandbox/{conduct-run,hostile-frames,idle-processes,run-endings}.test.ts"],
  },
  http: {
    mutate: ["serve/http/*.ts", "serve/admission/*.ts", "schemas/fair-queue.ts"],
    tests: [
      "test/serve/http/{body-limits,guards,http-plan,listener-parts,request-parts,serve-http,session-parts,sessions,shutdown,tokens}.test.ts",
      "test/serve/{admit-view,rate-limit,run-queue}.test.ts",
      "test/cli/fair-queue.test.ts",
      "test/telemetry/serve-metrics.test.ts",
    ],
  },
  bridge: {
    mutate: ["runtime/sandbox/boot/{base64,bridge,text-decoding,time-zone,timers,url-parsing}.ts"],
    tests: ["test/sandbox/bridge.test.ts"],
  },
  /** These two run in the sandbox process, from a bundle: it is built once with all mutants in it, and each run switches one on there. */
  boot: {
    mutate: ["runtime/sandbox/boot/{main,programs,wire}.ts"],
    tests: [
      "test/escape/layers-of-code.test.ts",
      "test/host/sandbox/frames-in-parts.test.ts",
      "test/sandbox/boot.test.ts",
    ],
    isBundled: true,
  },
  freezing: {
    mutate: ["runtime/sandbox/boot/{freeze-intrinsics,scrub-globals}.ts"],
    tests: ["test/escape/layers-of-boot.test.ts"],
    isBundled: true,
    /** Newer versions have intrinsics that older ones have not. */
    nodeVersions: "20,24",
  },
};
