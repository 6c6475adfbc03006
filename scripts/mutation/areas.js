/**
 * The code whose tests are tried with mutants, by area. Each has the tests that run its code in their own process and take little time: a mutant
 * that survives has met all of them that reach it.
 */
export const AREAS = {
  schemas: {
    mutate: ["schemas/**/*.ts"],
    tests: [
      "test/schemas/**/*.test.ts",
      "test/templates/releases.test.ts",
      "test/host/{review-manifest,input-check,output-check,is-loosened}.test.ts",
    ],
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
    tests: ["test/host/sandbox/{hostile-frames,idle-processes}.test.ts"],
  },
  http: {
    mutate: ["serve/http/*.ts", "serve/admission/*.ts"],
    tests: [
      "test/serve/http/{request-parts,guards,http-plan,serve-http,sessions,tokens}.test.ts",
      "test/serve/{admit-view,rate-limit,run-queue}.test.ts",
    ],
  },
  bridge: {
    mutate: ["runtime/sandbox/boot/{base64,bridge,text-decoding,time-zone,timers,url-parsing}.ts"],
    tests: ["test/sandbox/bridge.test.ts"],
  },
  boot: {
    mutate: ["runtime/sandbox/boot/{freeze-intrinsics,main,programs,scrub-globals,wire}.ts"],
    tests: [
      "test/escape/layers-of-boot.test.ts",
      "test/host/sandbox/frames-in-parts.test.ts",
      "test/sandbox/boot.test.ts",
    ],
    /** The code runs in the sandbox process, from a bundle: it is built once with all mutants in it, and each run switches one on there. */
    isBundled: true,
  },
};
