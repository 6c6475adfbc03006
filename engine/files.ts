// How commands and the web UI read and write files: with errors that name the file, atomically, and not out of the project by a link.
export { digestText } from "../runtime/host/digest-text.ts";
export { makePrivateFolder, writePrivately } from "../runtime/host/files/private-files.ts";
export { isInside } from "../runtime/host/files/real-place.ts";
export { makeRunRecorder } from "./host/recording-file.ts";
export { assertWritable, readText, writeAtomically } from "./project/files.ts";
export { LOCKFILE_NAME } from "./project/lockfile-file.ts";
export { placeInRepository } from "./project/place-in-repository.ts";
export { projectCachePath } from "./project/project-cache.ts";
