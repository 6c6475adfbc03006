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
      "runtime/host/{admit-call,approval,seek-approval,review-manifest,is-loosened,make-tool-host,make-tool-caller}.ts",
      "runtime/host/{input-check,output-check,mask-credentials,linear-regexp,compile-schema,equality-keywords}.ts",
      "runtime/host/{resolve-target,live-lock,refuse,describe-missing-consent}.ts",
      "runtime/host/trust/*.ts",
      "runtime/host/sandbox/{conduct-run,limits,parse-foreign-json,rested-processes}.ts",
    ],
    tests: [
      "test/host/*.test.ts",
      "test/host/connections/{calls,resolve-target,credentials,connection-set,list-changes}.test.ts",
      "test/host/sandbox/{hostile-frames,limits,rested-processes,result}.test.ts",
      "test/serve/approval-form.test.ts",
    ],
  },
  http: {
    mutate: ["cli/serve/http/*.ts", "cli/serve/admission/*.ts"],
    tests: ["test/serve/**/*.test.ts"],
  },
  bridge: {
    mutate: ["runtime/sandbox/boot/{base64,bridge,text-decoding,time-zone,timers,url-parsing}.ts"],
    tests: ["test/sandbox/bridge.test.ts"],
  },
  boot: {
    mutate: ["runtime/sandbox/boot/{freeze-intrinsics,main,programs,scrub-globals,wire}.ts"],
    tests: [
      "test/escape/main-realm.test.ts",
      "test/host/sandbox/frames-in-parts.test.ts",
      "test/sandbox/boot.test.ts",
    ],
    /** The code runs in the sandbox process, from a bundle: it is built once with all mutants in it, and each run switches one on there. */
    isBundled: true,
  },
};
