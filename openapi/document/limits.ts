/** What a document may cost. GitHub's, of 13 MB, is the largest that is known to be used as it is. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** All files of one document together. */
export const MAX_FILES = 500;
/** Objects within objects; real documents have less than 50. */
export const MAX_DEPTH = 200;
/** How often aliases of a YAML file may repeat what they stand for. */
export const MAX_ALIASES = 1_000;
/** Objects, arrays and values, after aliases have been followed. */
export const MAX_NODES = 5_000_000;
/** For one file from an address. */
export const DOWNLOAD_TIMEOUT_MS = 30_000;
