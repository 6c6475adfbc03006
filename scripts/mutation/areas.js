/**
 * The code whose tests are tried with mutants, by area. Each has the tests that run its code in their own process and take little time: a mutant
 * that survives has met all of them that reach it.
 */
export const AREAS = {
  schemas: {
    mutate: ["schemas/**/*.ts", "!schemas/{diff,json-schema,observed,secrets}/**", "!schemas/lock/withhold-words.ts"],
    tests: [
      "test/schemas/*.test.ts",
      "test/schemas/diff/diff-lockfiles.test.ts",
      "test/host/{discovery,questions}/*.test.ts",
      "test/host/{drift-verdict,review-manifest}.test.ts",
      "test/serve/surfaces/saved-scripts.test.ts",
      "test/templates/text.test.ts",
    ],
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
    tests: ["test/schemas/secrets/*.test.ts", "test/mcp/mask-credentials.test.ts"],
  },
  checks: {
    mutate: [
      "runtime/host/checks/{admit-call,seek-approval,review-manifest,refuse,input-check,output-check}.ts",
      "runtime/host/checks/{linear-regexp,compile-schema,describe-missing-approval}.ts",
      "runtime/host/call/{make-call,handle-calls}.ts",
      "runtime/mcp/{mask-credentials,resolve-target}.ts",
      "runtime/mcp/trust/*.ts",
      "runtime/sandbox/pool/{frames,limits}.ts",
    ],
    tests: [
      "test/host/{admit-call,seek-approval,make-call,review-manifest,is-loosened,live-lock,live-lock-calls}.test.ts",
      "test/host/{input-check,output-check,check-edges,compile-schema,refused-inputs,check-script-input}.test.ts",
      "test/host/{handle-calls,long-results,misspelt-arguments,connection-tool-error}.test.ts",
      "test/host/{questions,observe}/*.test.ts",
      "test/mcp/{mask-credentials,trust}.test.ts",
      "test/sandbox/pool/cap-limits.test.ts",
      "test/mcp/connections/resolve-target.test.ts",
      "test/sandbox/pool/{foreign-json,frames-in-parts,parse-sandbox-frame,read-frame-texts}.test.ts",
    ],
  },
  people: {
    mutate: [
      "schemas/run/{describe-call,call-question}.ts",
      "runtime/host/call/{decide,refuse}-call.ts",
      "runtime/host/checks/{changed-input,seek-approval}.ts",
      "serve/http/refused-access.ts",
    ],
    tests: [
      "test/schemas/{call-question,describe-call}.test.ts",
      "test/host/{decide-call,changed-input,seek-approval,handle-calls}.test.ts",
      "test/serve/http/refused-access.test.ts",
    ],
  },
  /** What is asked during a durable run, and what its journal makes of the answers. */
  "durable-people": {
    mutate: ["extras/durable/{ask-people,questions,doubts}.ts", "schemas/run/fold-run.ts"],
    tests: ["test/schemas/fold-run.test.ts", "test/extras/durable/ask-people.test.ts"],
  },
  trust: {
    mutate: ["runtime/mcp/trust/*.ts"],
    tests: ["test/mcp/trust.test.ts"],
  },
  /** Which identifier a tool has, and which tool a name means. */
  names: {
    mutate: ["schemas/lock/{names,operations}.ts", "runtime/bindings/nearest-name.ts"],
    tests: ["test/schemas/{names,operations,lockfile-parts}.test.ts", "test/bindings/nearest-name.test.ts"],
  },
  /** What `init` and `doctor` read of the files of clients, and what a configuration takes of their entries. */
  clients: {
    mutate: ["engine/project/clients/{parse-client-file,entry-limits,entry-parts,same-server,old-servers}.ts"],
    tests: [
      "test/engine/load-config.test.ts",
      "test/engine/project/{parse-client-file,same-server}.test.ts",
      "test/extras/install/move-servers.test.ts",
    ],
  },
  /** Scripts as other systems write them. */
  "foreign-scripts": {
    mutate: ["engine/bundle/imports/{server-paths,top-level-return}.ts", "schemas/run/missing-result.ts"],
    tests: ["test/engine/bundle/{foreign-forms,foreign-parts}.test.ts", "test/serve/missing-result.test.ts"],
  },
  lock: {
    mutate: [
      "schemas/lock/withhold-words.ts",
      "runtime/host/lock/{drift-verdict,is-loosened,live-lock,guard-connections,offered-servers,server-looks}.ts",
    ],
    tests: [
      "test/schemas/withhold-words.test.ts",
      "test/host/drift-verdict.test.ts",
      "test/host/live-lock{,-accept,-calls,-reload,-review}.test.ts",
      "test/host/guard-connections{,-calls}.test.ts",
    ],
  },
  runs: {
    mutate: ["runtime/sandbox/pool/{run-bundle,idle-processes}.ts"],
    tests: ["test/sandbox/pool/{execute-run,hostile-frames,idle-processes,run-endings}.test.ts"],
  },
  http: {
    mutate: ["serve/http/*.ts", "serve/admission/*.ts", "schemas/fair-queue.ts"],
    tests: [
      "test/serve/http/{body-limits,guards,http-plan,listener-parts,request-parts,serve-http,session-parts,sessions,shutdown,tokens}.test.ts",
      "test/serve/{admit-view,rate-limit,run-queue}.test.ts",
      "test/schemas/fair-queue.test.ts",
      "test/extras/observe/telemetry/serve-metrics.test.ts",
    ],
  },
  store: {
    mutate: ["serve/store/*.ts", "extras/stores/{join-store,store-health}.ts"],
    tests: [
      "test/extras/stores/{join-store,memory-store}.test.ts",
      "test/extras/stores/{shared-limits,shared-results,silent-store}.test.ts",
    ],
  },
  "long-runs": {
    mutate: ["serve/long-runs/*.ts"],
    tests: ["test/serve/{answer-cache,long-runs,runs-elsewhere,run-news,tasks}.test.ts"],
  },
  batch: {
    mutate: ["extras/batch/{journal,batch-result}.ts", "extras/durable/stores/{batch-inputs,join-database}.ts"],
    tests: ["test/extras/batch/{batch-result,input-key,journal}.test.ts", "test/extras/durable/batch-inputs.test.ts"],
  },
  observed: {
    mutate: ["schemas/observed/*.ts", "extras/learn/observed-store.ts"],
    tests: ["test/schemas/observed/*.test.ts", "test/extras/learn/{observed-store,stored-observations}.test.ts"],
  },
  openapi: {
    mutate: [
      "openapi/request/{build-request,path-steps,serialize-parameter,encode-body}.ts",
      "openapi/answer/read-answer.ts",
      "openapi/int64.ts",
    ],
    tests: [
      "test/openapi/{answers,int64,logins,parameter-styles,request-values,requests,round-trip}.test.ts",
      "test/openapi/{attacks,tools}.test.ts",
    ],
  },
  /** What a binding gives and throws of a result. */
  results: {
    mutate: ["runtime/bindings/{unwrap,reply-of-result,find-unsendable,call-failure}.ts"],
    tests: [
      "test/bindings/{call-failure,failed-tools,find-unsendable,unwrap}.test.ts",
      "test/host/connection-tool-error.test.ts",
    ],
  },
  others: {
    mutate: ["runtime/mcp/{others-credentials,mask-credentials}.ts", "runtime/mcp/client/operations/uri-template.ts"],
    tests: ["test/mcp/{mask-credentials,others-credentials,uri-template}.test.ts"],
  },
  "text-link": {
    mutate: ["engine/bundle/find-links.ts"],
    tests: ["test/engine/bundle/find-links.test.ts"],
  },
  /** These tests bundle scripts and run them: they take more time than those of a text alone. */
  "link-script": {
    mutate: ["engine/bundle/bundle-script.ts"],
    tests: [
      "test/engine/bundle/{direct-link,find-links,import-failures,imports,mistakes-have-places}.test.ts",
      "test/engine/bundle/{names-of-modules,server-packages,ses-tokens,undeclared-names}.test.ts",
    ],
  },
  bridge: {
    mutate: ["runtime/sandbox/realm/boot/{base64,bridge,text-decoding,time-zone,timers,url-parsing}.ts"],
    tests: ["test/sandbox/realm/bridge.test.ts"],
  },
  /** These two run in the sandbox process, from a bundle: it is built once with all mutants in it, and each run switches one on there. */
  boot: {
    mutate: ["runtime/sandbox/realm/boot/{main,programs}.ts"],
    tests: [
      "test/escape/layers-of-code.test.ts",
      "test/sandbox/pool/frames-in-parts.test.ts",
      "test/sandbox/realm/boot.test.ts",
    ],
    isBundled: true,
  },
  freezing: {
    mutate: ["runtime/sandbox/realm/boot/{freeze-intrinsics,scrub-globals}.ts"],
    tests: ["test/escape/layers-of-boot.test.ts"],
    isBundled: true,
    /** Newer versions have intrinsics that older ones have not. */
    nodeVersions: "20,24",
  },
};
