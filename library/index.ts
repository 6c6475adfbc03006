// The public API of codemode: everything that a program imports from "codemode". It prints nothing and reads no terminal.
export { openProject } from "./open-project.ts";
export { type CodeMode, codeMode } from "./code-mode.ts";
export type { CodeModeOptions } from "./code-mode-options.ts";
export { type DefinedTool, defineTool } from "./define-tool.ts";
export type { OwnServer, OwnServers } from "./own-servers.ts";
export type { OwnTool, OwnToolRules } from "./given-tool.ts";
export { type ToolContext, ToolError } from "../runtime/mcp/connect-functions.ts";
export type {
  ApprovalAnswer,
  AskApproval,
  CallToolOptions,
  CheckOptions,
  DryRunRequest,
  DurableSettings,
  EngineOptions,
  RunOptions,
  ToolCallOptions,
} from "./engine-options.ts";
export type {
  CallResult,
  ServeOnOptions,
  DescribedTool,
  DescribedTools,
  FrameworkTool,
  Engine,
  EngineRuns,
  ResumeOptions,
  ServableTransport,
  ServedRequest,
  ToolAnswer,
  ToolContent,
  UndoOptions,
} from "./engine.ts";
export type { DurableState, RunOverview, Step } from "../schemas/run/durable-run.ts";
export type { ToolInputSchema } from "../serve/describe-tool.ts";
export type { OnUnstartable } from "../runtime/host/admit-start.ts";
export type { RecordRequest } from "../engine/run/record-extra.ts";
export type {
  BundleResult,
  DiffResult,
  GenerateResult,
  LockResult,
  PrepareOptions,
  Project,
  ProjectOptions,
  RepairResult,
  ServerLockFailure,
  WorkOptions,
} from "./project.ts";
export type { ReadScript, Script } from "../engine/project/script.ts";
export type { CheckResult } from "./check-result.ts";
export { formatLockfile, parseLockfile } from "../schemas/lock/lockfile-text.ts";
export { diffLockfiles, type ServerChange } from "../schemas/diff/diff-lockfiles.ts";
export type { LockedServer, LockedTool, Lockfile } from "../schemas/lock/lockfile.ts";
export { DIAGNOSTIC_CODES, type NextStep, nextStepOf } from "../schemas/run/answer.ts";
export type { Diagnostic, DiagnosticCode, LogEntry, RunAnswer, ToolTraceEntry } from "../schemas/run/answer.ts";
export type { RunLimits } from "../schemas/config/config-file.ts";
export type { Manifest, ManifestTool } from "../schemas/run/bundle.ts";
export type { PinnedBundle } from "../schemas/run/pinned-bundle.ts";
export type { OnProgress, Progress, ShowWork } from "../schemas/progress.ts";
export type { AnsweredBy, ApprovalWay } from "../schemas/run/approval.ts";
export type { HostEvent, RunEvent, RunFacts, RunOrigin, SkippedCall } from "../schemas/run/events.ts";
export type { ToolCallEvent } from "../schemas/run/tool-call-event.ts";
export type {
  ApprovalRequest,
  ApprovalVerdict,
  CallDecision,
  CallToApprove,
  ScriptToApprove,
  ToolToApprove,
} from "../schemas/run/approval.ts";
export type { ConfigFile, DriftPolicy, TypecheckMode } from "../schemas/config/config-file.ts";
export type { JsonObject, JsonValue } from "../schemas/json/json.ts";
export { CodemodeError } from "../schemas/codemode-error.ts";
