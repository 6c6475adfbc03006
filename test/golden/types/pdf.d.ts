// index.d.ts
export { __meta__ } from "./meta.js";
export { display_pdf, type DisplayPdfInput, type DisplayPdfOutput } from "./tools/display_pdf.js";
export { interact, type InteractInput, type InteractOutput } from "./tools/interact.js";
export { list_pdfs, type ListPdfsInput, type ListPdfsOutput } from "./tools/list_pdfs.js";
export { poll_pdf_commands, type PollPdfCommandsInput, type PollPdfCommandsOutput } from "./tools/poll_pdf_commands.js";
export { read_pdf_bytes, type ReadPdfBytesInput, type ReadPdfBytesOutput } from "./tools/read_pdf_bytes.js";
export { save_pdf, type SavePdfInput, type SavePdfOutput } from "./tools/save_pdf.js";
export { submit_page_data, type SubmitPageDataInput, type SubmitPageDataOutput } from "./tools/submit_page_data.js";
export { submit_save_data, type SubmitSaveDataInput, type SubmitSaveDataOutput } from "./tools/submit_save_data.js";
export { submit_viewer_state, type SubmitViewerStateInput, type SubmitViewerStateOutput } from "./tools/submit_viewer_state.js";

// tools/display_pdf.d.ts
export interface DisplayPdfInput {
  /** If true and the PDF has form fields, prompt the user to fill them before displaying. Default: `false`. */
  elicit_form_inputs?: boolean;
  /** Initial page. Minimum: `1`. Default: `1`. */
  page?: number;
  /** PDF URL or local file path. Default: `"https://arxiv.org/pdf/1706.03762"`. */
  url?: string;
}

export interface DisplayPdfOutput {
  initialPage: number;
  totalBytes: number;
  url: string;
  /** UUID for this viewer instance — pass to interact tool */
  viewUUID: string;
  /** Form field values filled by the user via elicitation. Checked but not part of the type: `propertyNames`. */
  formFieldValues?: {
    [k: string]: string | boolean;
  };
  /** Form fields with bounding boxes in model coordinates (top-left origin) */
  formFields?: {
    height: number;
    name: string;
    page: number;
    type: string;
    width: number;
    x: number;
    y: number;
    /** Radio button value — pass this to fill_form */
    exportValue?: string;
    label?: string;
    /** Dropdown/listbox option values */
    options?: string[];
  }[];
}

/**
 * Open a PDF in an interactive viewer. Call this ONCE per PDF.
 *
 * **All follow-up actions go through the `interact` tool** with the returned viewUUID — annotating, signing, stamping, filling forms, navigating, searching, extracting text/screenshots. Calling display_pdf again creates a SEPARATE viewer with a different viewUUID — interact calls using the new UUID will not reach the viewer the user already sees.
 *
 * Returns a viewUUID in structuredContent. Pass it to `interact`:
 * - add_annotations, update_annotations, remove_annotations, highlight_text
 * - fill_form (fill PDF form fields)
 * - navigate, search, find, search_navigate, zoom
 * - get_text, get_screenshot, get_viewer_state (extract content / read selection & current page)
 * - save_as (write annotated PDF to disk)
 *
 * Accepts local files (use list_pdfs), client MCP root directories, or any HTTPS URL.
 * Set `elicit_form_inputs` to true to prompt the user to fill form fields before display.
 *
 * @param input.elicit_form_inputs - If true and the PDF has form fields, prompt the user to fill them before displaying. Default: `false`.
 * @param input.page - Initial page. Minimum: `1`. Default: `1`.
 * @param input.url - PDF URL or local file path. Default: `"https://arxiv.org/pdf/1706.03762"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function display_pdf(input?: DisplayPdfInput): Promise<DisplayPdfOutput>;

// tools/interact.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface InteractInput {
  /** The viewUUID of the PDF viewer (from display_pdf result) */
  viewUUID: string;
  /** Action to perform (for single command). Use `commands` array for batching. */
  action?:
    | "navigate"
    | "search"
    | "find"
    | "search_navigate"
    | "zoom"
    | "add_annotations"
    | "update_annotations"
    | "remove_annotations"
    | "highlight_text"
    | "fill_form"
    | "get_text"
    | "get_screenshot"
    | "get_viewer_state"
    | "save_as";
  /**
   * Annotation objects (see types in description). Each needs: id, type, page. For update_annotations only id+type are required.
   *
   * Items: Checked but not part of the type: `propertyNames`.
   */
  annotations?: {
    [k: string]: unknown;
  }[];
  /** Color override (for highlight_text) */
  color?: string;
  /**
   * Array of commands to execute sequentially. More efficient than separate calls. Tip: end with get_pages+getScreenshots to verify changes.
   */
  commands?: {
    /** Action to perform */
    action:
      | "navigate"
      | "search"
      | "find"
      | "search_navigate"
      | "zoom"
      | "add_annotations"
      | "update_annotations"
      | "remove_annotations"
      | "highlight_text"
      | "fill_form"
      | "get_text"
      | "get_screenshot"
      | "get_viewer_state"
      | "save_as";
    /**
     * Annotation objects (see types in description). Each needs: id, type, page. For update_annotations only id+type are required.
     *
     * Items: Checked but not part of the type: `propertyNames`.
     */
    annotations?: {
      [k: string]: unknown;
    }[];
    /** Color override (for highlight_text) */
    color?: string;
    /** Tooltip/note content (for highlight_text) */
    content?: string;
    /** Form fields to fill (for fill_form): { name, value } where value is string or boolean */
    fields?: {
      name: string;
      value: string | boolean;
    }[];
    /** Annotation IDs (for remove_annotations) */
    ids?: string[];
    /** Page ranges for get_text. Each has optional start/end. [{start:1,end:5}], [{}] = all pages. Max 20 pages. */
    intervals?: {
      /** Minimum: `1`. */
      end?: number;
      /** Minimum: `1`. */
      start?: number;
    }[];
    /** Match index (for search_navigate). Minimum: `0`. */
    matchIndex?: number;
    /** Overwrite if file exists (for save_as). Default false. */
    overwrite?: boolean;
    /** Page number (for navigate, highlight_text, get_screenshot, get_text). Minimum: `1`. */
    page?: number;
    /**
     * Target file path for save_as. Absolute path or file:// URL. Omit to overwrite the original file (requires overwrite: true).
     */
    path?: string;
    /** Search text (for search / find / highlight_text) */
    query?: string;
    /** Zoom scale, 1.0 = 100% (for zoom). Minimum: `0.5`. Maximum: `3`. */
    scale?: number;
  }[];
  /** Tooltip/note content (for highlight_text) */
  content?: string;
  /** Form fields to fill (for fill_form): { name, value } where value is string or boolean */
  fields?: {
    name: string;
    value: string | boolean;
  }[];
  /** Annotation IDs (for remove_annotations) */
  ids?: string[];
  /** Page ranges for get_text. Each has optional start/end. [{start:1,end:5}], [{}] = all pages. Max 20 pages. */
  intervals?: {
    /** Minimum: `1`. */
    end?: number;
    /** Minimum: `1`. */
    start?: number;
  }[];
  /** Match index (for search_navigate). Minimum: `0`. */
  matchIndex?: number;
  /** Overwrite if file exists (for save_as). Default false. */
  overwrite?: boolean;
  /** Page number (for navigate, highlight_text, get_screenshot, get_text). Minimum: `1`. */
  page?: number;
  /**
   * Target file path for save_as. Absolute path or file:// URL. Omit to overwrite the original file (requires overwrite: true).
   */
  path?: string;
  /** Search text (for search / find / highlight_text) */
  query?: string;
  /** Zoom scale, 1.0 = 100% (for zoom). Minimum: `0.5`. Maximum: `3`. */
  scale?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type InteractOutput = string | McpResult;

/**
 * Interact with a PDF viewer: annotate, navigate, search, extract text/screenshots, fill forms.
 * IMPORTANT: viewUUID must be the exact UUID returned by display_pdf (e.g. "a1b2c3d4-..."). Do NOT use arbitrary strings.
 *
 * **BATCHING**: Send multiple commands in one call via `commands` array. Commands run sequentially; results are returned in the same order, one content item per command. If a command fails, the batch stops there and that command's slot contains text starting with `ERROR` — content.length tells you how far it got. TIP: End with `get_screenshot` to verify your changes.
 *
 * **ANNOTATION** — add_annotations with array of annotation objects. Each needs: id (unique string), type, page (1-indexed).
 *
 * **COORDINATE SYSTEM**: PDF points (1pt = 1/72in), origin at page TOP-LEFT corner. X increases rightward, Y increases downward.
 * - US Letter = 612×792pt. Margins: top≈y=50, bottom≈y=742, left≈x=72, right≈x=540, center≈(306, 396).
 * - Rectangle/circle/stamp x,y is the TOP-LEFT corner. To place a 200×30 box at the TOP of the page: x=72, y=50, width=200, height=30.
 * - For highlights/underlines, each rect's y is the TOP of the highlighted region.
 *
 * Annotation types:
 * • highlight: rects:[{x,y,width,height}], color?, content? • underline: rects:[{x,y,w,h}], color?
 * • strikethrough: rects:[{x,y,w,h}], color? • note: x, y, content, color?
 * • rectangle: x, y, width, height, color?, fillColor?, rotation? • circle: x, y, width, height, color?, fillColor?
 * • line: x1, y1, x2, y2, color? • freetext: x, y, content, fontSize?, color?
 * • stamp: x, y, label (any text, e.g. APPROVED, DRAFT, CONFIDENTIAL), color?, rotation?
 * • image: imageUrl (required), x?, y?, width?, height?, mimeType?, rotation?, aspect? — places an image (signature, logo, etc.) on the page. Pass a local file path or HTTPS URL (NO data: URIs, NO base64). Width/height auto-detected if omitted. Users can also drag & drop images directly onto the viewer.
 *
 * TIP: For text annotations, prefer highlight_text (auto-finds text) over manual rects.
 *
 * Example — add a signature image and a stamp, then screenshot to verify:
 * ```json
 * {"viewUUID":"…","commands":[
 *   {"action":"add_annotations","annotations":[
 *     {"id":"sig1","type":"image","page":1,"x":72,"y":700,"imageUrl":"/path/to/signature.png"},
 *     {"id":"s1","type":"stamp","page":1,"x":300,"y":400,"label":"APPROVED"}
 *   ]},
 *   {"action":"get_screenshot","page":1}
 * ]}
 * ```
 *
 * • highlight_text: auto-find and highlight text (query, page?, color?, content?)
 * • update_annotations: partial update (id+type required) • remove_annotations: remove by ids
 *
 * **NAVIGATION**: navigate (page), search (query), find (query, silent), search_navigate (matchIndex), zoom (scale 0.5–3.0)
 *
 * **TEXT/SCREENSHOTS**:
 * • get_text: extract text from pages. Optional `page` for single page, or `intervals` for ranges [{start?,end?}]. Max 20 pages.
 * • get_screenshot: capture a single page as a JPEG image. Requires `page`.
 * • get_viewer_state: snapshot of the live viewer — JSON {currentPage, pageCount, zoom, displayMode, selectedAnnotationIds, selection:{text,contextBefore,contextAfter,boundingRect}|null}. Use this to read what the user has selected or which page they're on.
 *
 * **FORMS** — fill_form: fill fields with `fields` array of {name, value}.
 *
 * **SAVE** — save_as: write the annotated PDF (annotations + form values) to a file. Pass `path` (absolute path or file://) for a new location, or omit `path` to overwrite the original. Set `overwrite: true` to replace an existing file (always required when omitting `path`).
 *
 * @param input.viewUUID - The viewUUID of the PDF viewer (from display_pdf result)
 * @param input.action - Action to perform (for single command). Use `commands` array for batching.
 * @param input.annotations - Annotation objects (see types in description). Each needs: id, type, page. For update_annotations only id+type are required.
 * @param input.color - Color override (for highlight_text)
 * @param input.commands - Array of commands to execute sequentially. More efficient than separate calls. Tip: end with get_pages+getScreenshots to verify changes.
 * @param input.content - Tooltip/note content (for highlight_text)
 * @param input.fields - Form fields to fill (for fill_form): { name, value } where value is string or boolean
 * @param input.ids - Annotation IDs (for remove_annotations)
 * @param input.intervals - Page ranges for get_text. Each has optional start/end. [{start:1,end:5}], [{}] = all pages. Max 20 pages.
 * @param input.matchIndex - Match index (for search_navigate). Minimum: `0`.
 * @param input.overwrite - Overwrite if file exists (for save_as). Default false.
 * @param input.page - Page number (for navigate, highlight_text, get_screenshot, get_text). Minimum: `1`.
 * @param input.path - Target file path for save_as. Absolute path or file:// URL. Omit to overwrite the original file (requires overwrite: true).
 * @param input.query - Search text (for search / find / highlight_text)
 * @param input.scale - Zoom scale, 1.0 = 100% (for zoom). Minimum: `0.5`. Maximum: `3`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function interact(input: InteractInput): Promise<InteractOutput>;

// tools/list_pdfs.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ListPdfsInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ListPdfsOutput = string | McpResult;

/**
 * List available PDFs that can be displayed
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_pdfs(input?: ListPdfsInput): Promise<ListPdfsOutput>;

// tools/poll_pdf_commands.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PollPdfCommandsInput {
  /** The viewUUID of the PDF viewer */
  viewUUID: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PollPdfCommandsOutput = string | McpResult;

/**
 * Poll for pending commands for a PDF viewer. The model should NOT call this tool directly.
 *
 * @param input.viewUUID - The viewUUID of the PDF viewer
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function poll_pdf_commands(input: PollPdfCommandsInput): Promise<PollPdfCommandsOutput>;

// tools/read_pdf_bytes.d.ts
export interface ReadPdfBytesInput {
  /** PDF URL or local file path */
  url: string;
  /** Bytes to read. Minimum: `1`. Maximum: `524288`. Default: `524288`. */
  byteCount?: number;
  /** Byte offset. Minimum: `0`. Default: `0`. */
  offset?: number;
}

export interface ReadPdfBytesOutput {
  byteCount: number;
  /** Base64 encoded bytes */
  bytes: string;
  hasMore: boolean;
  offset: number;
  totalBytes: number;
  url: string;
}

/**
 * Read a range of bytes from a PDF (max 512KB per request). The model should NOT call this tool directly.
 *
 * @param input.url - PDF URL or local file path
 * @param input.byteCount - Bytes to read. Minimum: `1`. Maximum: `524288`. Default: `524288`.
 * @param input.offset - Byte offset. Minimum: `0`. Default: `0`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_pdf_bytes(input: ReadPdfBytesInput): Promise<ReadPdfBytesOutput>;

// tools/save_pdf.d.ts
export interface SavePdfInput {
  /** Base64-encoded PDF bytes */
  data: string;
  /** Original PDF URL or local file path */
  url: string;
}

export interface SavePdfOutput {
  filePath: string;
  mtimeMs: number;
}

/**
 * Save annotated PDF bytes back to a local file. The model should NOT call this tool directly — use interact with action: save_as instead.
 *
 * @param input.data - Base64-encoded PDF bytes
 * @param input.url - Original PDF URL or local file path
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function save_pdf(input: SavePdfInput): Promise<SavePdfOutput>;

// tools/submit_page_data.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SubmitPageDataInput {
  /** Page data entries */
  pages: {
    page: number;
    /** Base64 PNG image data */
    image?: string;
    text?: string;
  }[];
  /** The request ID from the get_pages command */
  requestId: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SubmitPageDataOutput = string | McpResult;

/**
 * Submit rendered page data for a get_pages request (used by viewer). The model should NOT call this tool directly.
 *
 * @param input.pages - Page data entries
 * @param input.requestId - The request ID from the get_pages command
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function submit_page_data(input: SubmitPageDataInput): Promise<SubmitPageDataOutput>;

// tools/submit_save_data.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SubmitSaveDataInput {
  /** The request ID from the save_as command */
  requestId: string;
  /** Base64-encoded PDF bytes */
  data?: string;
  /** Error message if the viewer failed to build bytes */
  error?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SubmitSaveDataOutput = string | McpResult;

/**
 * Submit annotated PDF bytes for a save_as request (used by viewer). The model should NOT call this tool directly.
 *
 * @param input.requestId - The request ID from the save_as command
 * @param input.data - Base64-encoded PDF bytes
 * @param input.error - Error message if the viewer failed to build bytes
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function submit_save_data(input: SubmitSaveDataInput): Promise<SubmitSaveDataOutput>;

// tools/submit_viewer_state.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SubmitViewerStateInput {
  /** The request ID from the get_viewer_state command */
  requestId: string;
  /** Error message if the viewer failed to read state */
  error?: string;
  /** JSON-encoded viewer state snapshot */
  state?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SubmitViewerStateOutput = string | McpResult;

/**
 * Submit a viewer-state snapshot for a get_viewer_state request (used by viewer). The model should NOT call this tool directly.
 *
 * @param input.requestId - The request ID from the get_viewer_state command
 * @param input.error - Error message if the viewer failed to read state
 * @param input.state - JSON-encoded viewer state snapshot
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function submit_viewer_state(input: SubmitViewerStateInput): Promise<SubmitViewerStateOutput>;

// sha256-kqOjNomGyQ4kvEDoCUQiCT7YKWaDsFPNRcQ8xP+JSPc= of all files of the package
// 541d445eeed5 index.js
// b477aa737b9c meta.d.ts
// 4112788f8db2 meta.js
// 9c4707b015d6 tools.json
// 2c81cc2f4e4d tools/display_pdf.js
// aaf3eaf6ddba tools/display_pdf.validator.js
// 30eed143bdf1 tools/interact.js
// ae1c6d8ef3a2 tools/interact.validator.js
// f23b83a188ee tools/list_pdfs.js
// cdb492bb99b9 tools/list_pdfs.validator.js
// c595dec285e4 tools/poll_pdf_commands.js
// 278832feaaeb tools/poll_pdf_commands.validator.js
// f809d35768dd tools/read_pdf_bytes.js
// 2a2297001ff4 tools/read_pdf_bytes.validator.js
// 5334989ce662 tools/save_pdf.js
// a4332534ffd5 tools/save_pdf.validator.js
// 095ff7efd785 tools/submit_page_data.js
// e0dda31363aa tools/submit_page_data.validator.js
// 4f9ed20948eb tools/submit_save_data.js
// f39a547d1127 tools/submit_save_data.validator.js
// 0514efdea1ba tools/submit_viewer_state.js
// b3b548d6c66c tools/submit_viewer_state.validator.js
