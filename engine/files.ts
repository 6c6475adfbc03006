// How commands and the web UI read and write files: with errors that name the file, atomically, and not out of the project by a link.
export { windowsProgram } from "@codemode/runtime/windows-program";
export { digestText } from "../runtime/host/digest-text.ts";
export { unlessExists, unlessMissing } from "../runtime/files/expected-errors.ts";
export { MACHINE, mayRun, ownerHere, type ProcessOwner } from "../runtime/files/process-owner.ts";
export { makePrivateFolder, writePrivately } from "../runtime/files/private-files.ts";
export { NotReadable } from "../runtime/files/read-bounded.ts";
export { readStateFile, readStateFileSync, unlessNotReadable } from "../runtime/files/state-file.ts";
export { isInside } from "../runtime/files/real-place.ts";
export { readBytes, readStreamText, readText, readTextSync, writeAtomically } from "./project/files.ts";
export { assertOutput, writeOutputFile } from "./project/output-file.ts";
export { LOCKFILE_NAME } from "./project/lockfile-file.ts";
export { placeInRepository } from "./project/place-in-repository.ts";
export { CACHE_MODE, projectCachePath } from "./project/project-places.ts";
