// index.d.ts
export { __meta__ } from "./meta.js";
export { create_directory, type CreateDirectoryInput, type CreateDirectoryOutput } from "./tools/create_directory.js";
export { directory_tree, type DirectoryTreeInput, type DirectoryTreeOutput } from "./tools/directory_tree.js";
export { edit_file, type EditFileInput, type EditFileOutput } from "./tools/edit_file.js";
export { get_file_info, type GetFileInfoInput, type GetFileInfoOutput } from "./tools/get_file_info.js";
export { list_allowed_directories, type ListAllowedDirectoriesInput, type ListAllowedDirectoriesOutput } from "./tools/list_allowed_directories.js";
export { list_directory, type ListDirectoryInput, type ListDirectoryOutput } from "./tools/list_directory.js";
export { list_directory_with_sizes, type ListDirectoryWithSizesInput, type ListDirectoryWithSizesOutput } from "./tools/list_directory_with_sizes.js";
export { move_file, type MoveFileInput, type MoveFileOutput } from "./tools/move_file.js";
export { read_file, type ReadFileInput, type ReadFileOutput } from "./tools/read_file.js";
export { read_media_file, type ReadMediaFileInput, type ReadMediaFileOutput } from "./tools/read_media_file.js";
export { read_multiple_files, type ReadMultipleFilesInput, type ReadMultipleFilesOutput } from "./tools/read_multiple_files.js";
export { read_text_file, type ReadTextFileInput, type ReadTextFileOutput } from "./tools/read_text_file.js";
export { search_files, type SearchFilesInput, type SearchFilesOutput } from "./tools/search_files.js";
export { write_file, type WriteFileInput, type WriteFileOutput } from "./tools/write_file.js";

// tools/create_directory.d.ts
export interface CreateDirectoryInput {
  path: string;
}

export interface CreateDirectoryOutput {
  content: string;
}

/**
 * Create a new directory or ensure a directory exists. Can create multiple nested directories in one operation. If the directory already exists, this operation will succeed silently. Perfect for setting up directory structures for projects or ensuring required paths exist. Only works within allowed directories.
 *
 * Annotations: not read-only, not destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_directory(input: CreateDirectoryInput): Promise<CreateDirectoryOutput>;

// tools/directory_tree.d.ts
export interface DirectoryTreeInput {
  path: string;
  /** Default: `[]`. */
  excludePatterns?: string[];
}

export interface DirectoryTreeOutput {
  content: string;
}

/**
 * Get a recursive tree view of files and directories as a JSON structure. Each entry includes 'name', 'type' (file/directory), and 'children' for directories. Files have no children array, while directories always have a children array (which may be empty). The output is formatted with 2-space indentation for readability. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.excludePatterns - Default: `[]`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function directory_tree(input: DirectoryTreeInput): Promise<DirectoryTreeOutput>;

// tools/edit_file.d.ts
export interface EditFileInput {
  edits: {
    /** Text to replace with */
    newText: string;
    /** Text to search for - must match exactly */
    oldText: string;
  }[];
  path: string;
  /** Preview changes using git-style diff format. Default: `false`. */
  dryRun?: boolean;
}

export interface EditFileOutput {
  content: string;
}

/**
 * Make line-based edits to a text file. Each edit replaces exact line sequences with new content. Returns a git-style diff showing the changes made. Only works within allowed directories.
 *
 * Annotations: not read-only, destructive, not idempotent, closed world.
 *
 * @param input.dryRun - Preview changes using git-style diff format. Default: `false`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function edit_file(input: EditFileInput): Promise<EditFileOutput>;

// tools/get_file_info.d.ts
export interface GetFileInfoInput {
  path: string;
}

export interface GetFileInfoOutput {
  content: string;
}

/**
 * Retrieve detailed metadata about a file or directory. Returns comprehensive information including size, creation time, last modified time, permissions, and type. This tool is perfect for understanding file characteristics without reading the actual content. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_file_info(input: GetFileInfoInput): Promise<GetFileInfoOutput>;

// tools/list_allowed_directories.d.ts
export interface ListAllowedDirectoriesInput {
  [k: string]: unknown;
}

export interface ListAllowedDirectoriesOutput {
  content: string;
}

/**
 * Returns the list of directories that this server is allowed to access. Subdirectories within these allowed directories are also accessible. Use this to understand which directories and their nested paths are available before trying to access files.
 *
 * Annotations: read-only, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_allowed_directories(input?: ListAllowedDirectoriesInput): Promise<ListAllowedDirectoriesOutput>;

// tools/list_directory.d.ts
export interface ListDirectoryInput {
  path: string;
}

export interface ListDirectoryOutput {
  content: string;
}

/**
 * Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is essential for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_directory(input: ListDirectoryInput): Promise<ListDirectoryOutput>;

// tools/list_directory_with_sizes.d.ts
export interface ListDirectoryWithSizesInput {
  path: string;
  /** Sort entries by name or size. Default: `"name"`. */
  sortBy?: "name" | "size";
}

export interface ListDirectoryWithSizesOutput {
  content: string;
}

/**
 * Get a detailed listing of all files and directories in a specified path, including sizes. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is useful for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.sortBy - Sort entries by name or size. Default: `"name"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_directory_with_sizes(input: ListDirectoryWithSizesInput): Promise<ListDirectoryWithSizesOutput>;

// tools/move_file.d.ts
export interface MoveFileInput {
  destination: string;
  source: string;
}

export interface MoveFileOutput {
  content: string;
}

/**
 * Move or rename files and directories. Can move files between directories and rename them in a single operation. If the destination exists, the operation will fail. Works across different directories and can be used for simple renaming within the same directory. Both source and destination must be within allowed directories.
 *
 * Annotations: not read-only, destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function move_file(input: MoveFileInput): Promise<MoveFileOutput>;

// tools/read_file.d.ts
export interface ReadFileInput {
  path: string;
  /** If provided, returns only the first N lines of the file */
  head?: number;
  /** If provided, returns only the last N lines of the file */
  tail?: number;
}

export interface ReadFileOutput {
  content: string;
}

/**
 * Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.head - If provided, returns only the first N lines of the file
 * @param input.tail - If provided, returns only the last N lines of the file
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_file(input: ReadFileInput): Promise<ReadFileOutput>;

// tools/read_media_file.d.ts
export interface ReadMediaFileInput {
  path: string;
}

export interface ReadMediaFileOutput {
  content: ({
    data: string;
    mimeType: string;
    type: "image" | "audio";
  } | {
    resource: {
      blob: string;
      uri: string;
      mimeType?: string;
    };
    type: "resource";
  })[];
}

/**
 * Read a file and return it as a base64-encoded content block with its MIME type. Image and audio files are returned as image/audio content; any other file type is returned as an embedded resource. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_media_file(input: ReadMediaFileInput): Promise<ReadMediaFileOutput>;

// tools/read_multiple_files.d.ts
export interface ReadMultipleFilesInput {
  /**
   * Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories. Fewest items: `1`.
   */
  paths: string[];
}

export interface ReadMultipleFilesOutput {
  content: string;
}

/**
 * Read the contents of multiple files simultaneously. This is more efficient than reading files one by one when you need to analyze or compare multiple files. Each file's content is returned with its path as a reference. Failed reads for individual files won't stop the entire operation. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.paths - Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories. Fewest items: `1`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_multiple_files(input: ReadMultipleFilesInput): Promise<ReadMultipleFilesOutput>;

// tools/read_text_file.d.ts
export interface ReadTextFileInput {
  path: string;
  /** If provided, returns only the first N lines of the file */
  head?: number;
  /** If provided, returns only the last N lines of the file */
  tail?: number;
}

export interface ReadTextFileOutput {
  content: string;
}

/**
 * Read the complete contents of a file from the file system as text. Handles various text encodings and provides detailed error messages if the file cannot be read. Use this tool when you need to examine the contents of a single file. Use the 'head' parameter to read only the first N lines of a file, or the 'tail' parameter to read only the last N lines of a file. Operates on the file as text regardless of extension. Only works within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.head - If provided, returns only the first N lines of the file
 * @param input.tail - If provided, returns only the last N lines of the file
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_text_file(input: ReadTextFileInput): Promise<ReadTextFileOutput>;

// tools/search_files.d.ts
export interface SearchFilesInput {
  path: string;
  pattern: string;
  /** Default: `[]`. */
  excludePatterns?: string[];
}

export interface SearchFilesOutput {
  content: string;
}

/**
 * Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns that match paths relative to the working directory. Use pattern like '*.ext' to match files in current directory, and '**\/*.ext' to match files in all subdirectories. Returns full paths to all matching items. Great for finding files when you don't know their exact location. Only searches within allowed directories.
 *
 * Annotations: read-only, closed world.
 *
 * @param input.excludePatterns - Default: `[]`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function search_files(input: SearchFilesInput): Promise<SearchFilesOutput>;

// tools/write_file.d.ts
export interface WriteFileInput {
  content: string;
  path: string;
}

export interface WriteFileOutput {
  content: string;
}

/**
 * Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite existing files without warning. Handles text content with proper encoding. Only works within allowed directories.
 *
 * Annotations: not read-only, destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function write_file(input: WriteFileInput): Promise<WriteFileOutput>;

// sha256-T8XcmskZEIwVTbwKvufVyxc8mXjSbeOosVXczoueuBo= of all files of the package
// d247f3c6c973 index.js
// b477aa737b9c meta.d.ts
// 3519eb5b189a meta.js
// 50d28d062492 tools.json
// 3ebfc6e21383 tools/create_directory.js
// 290aa389e7bd tools/create_directory.validator.js
// 63406f59b93e tools/directory_tree.js
// 71486bd6bccb tools/directory_tree.validator.js
// bb336db0775d tools/edit_file.js
// 28272fda6735 tools/edit_file.validator.js
// b9fc2b4658c6 tools/get_file_info.js
// 290aa389e7bd tools/get_file_info.validator.js
// 64a649cfb227 tools/list_allowed_directories.js
// cdb492bb99b9 tools/list_allowed_directories.validator.js
// 3d3c52c3ce64 tools/list_directory.js
// 290aa389e7bd tools/list_directory.validator.js
// 19874e3301ba tools/list_directory_with_sizes.js
// 833fd3c7461a tools/list_directory_with_sizes.validator.js
// 556f34d888da tools/move_file.js
// a840c32ae31a tools/move_file.validator.js
// adc9d681cc4a tools/read_file.js
// e60d741e33b6 tools/read_file.validator.js
// de833cdb1fae tools/read_media_file.js
// 290aa389e7bd tools/read_media_file.validator.js
// c8d5cdea1166 tools/read_multiple_files.js
// e66616896526 tools/read_multiple_files.validator.js
// b1e2ef4dc5dc tools/read_text_file.js
// e60d741e33b6 tools/read_text_file.validator.js
// 1925eec0d6e6 tools/search_files.js
// 9269c482f07b tools/search_files.validator.js
// cf517667b33d tools/write_file.js
// dc73bd845147 tools/write_file.validator.js
