// index.d.ts
export { __meta__ } from "./meta.js";
export { puppeteer_click, type PuppeteerClickInput, type PuppeteerClickOutput } from "./tools/puppeteer_click.js";
export { puppeteer_evaluate, type PuppeteerEvaluateInput, type PuppeteerEvaluateOutput } from "./tools/puppeteer_evaluate.js";
export { puppeteer_fill, type PuppeteerFillInput, type PuppeteerFillOutput } from "./tools/puppeteer_fill.js";
export { puppeteer_hover, type PuppeteerHoverInput, type PuppeteerHoverOutput } from "./tools/puppeteer_hover.js";
export { puppeteer_navigate, type PuppeteerNavigateInput, type PuppeteerNavigateOutput } from "./tools/puppeteer_navigate.js";
export { puppeteer_screenshot, type PuppeteerScreenshotInput, type PuppeteerScreenshotOutput } from "./tools/puppeteer_screenshot.js";
export { puppeteer_select, type PuppeteerSelectInput, type PuppeteerSelectOutput } from "./tools/puppeteer_select.js";

// tools/puppeteer_click.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerClickInput {
  /** CSS selector for element to click */
  selector: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerClickOutput = string | McpResult;

/**
 * Click an element on the page
 *
 * @param input.selector - CSS selector for element to click
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_click(input: PuppeteerClickInput): Promise<PuppeteerClickOutput>;

// tools/puppeteer_evaluate.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerEvaluateInput {
  /** JavaScript code to execute */
  script: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerEvaluateOutput = string | McpResult;

/**
 * Execute JavaScript in the browser console
 *
 * @param input.script - JavaScript code to execute
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_evaluate(input: PuppeteerEvaluateInput): Promise<PuppeteerEvaluateOutput>;

// tools/puppeteer_fill.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerFillInput {
  /** CSS selector for input field */
  selector: string;
  /** Value to fill */
  value: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerFillOutput = string | McpResult;

/**
 * Fill out an input field
 *
 * @param input.selector - CSS selector for input field
 * @param input.value - Value to fill
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_fill(input: PuppeteerFillInput): Promise<PuppeteerFillOutput>;

// tools/puppeteer_hover.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerHoverInput {
  /** CSS selector for element to hover */
  selector: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerHoverOutput = string | McpResult;

/**
 * Hover an element on the page
 *
 * @param input.selector - CSS selector for element to hover
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_hover(input: PuppeteerHoverInput): Promise<PuppeteerHoverOutput>;

// tools/puppeteer_navigate.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerNavigateInput {
  /** URL to navigate to */
  url: string;
  /**
   * Allow dangerous LaunchOptions that reduce security. When false, dangerous args like --no-sandbox will throw errors. Default false.
   */
  allowDangerous?: boolean;
  /**
   * PuppeteerJS LaunchOptions. Default null. If changed and not null, browser restarts. Example: { headless: true, args: ['--no-sandbox'] }
   */
  launchOptions?: {
    [k: string]: unknown;
  };
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerNavigateOutput = string | McpResult;

/**
 * Navigate to a URL
 *
 * @param input.url - URL to navigate to
 * @param input.allowDangerous - Allow dangerous LaunchOptions that reduce security. When false, dangerous args like --no-sandbox will throw errors. Default false.
 * @param input.launchOptions - PuppeteerJS LaunchOptions. Default null. If changed and not null, browser restarts. Example: { headless: true, args: ['--no-sandbox'] }
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_navigate(input: PuppeteerNavigateInput): Promise<PuppeteerNavigateOutput>;

// tools/puppeteer_screenshot.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerScreenshotInput {
  /** Name for the screenshot */
  name: string;
  /**
   * If true, capture the screenshot as a base64-encoded data URI (as text) instead of binary image content. Default false.
   */
  encoded?: boolean;
  /** Height in pixels (default: 600) */
  height?: number;
  /** CSS selector for element to screenshot */
  selector?: string;
  /** Width in pixels (default: 800) */
  width?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerScreenshotOutput = string | McpResult;

/**
 * Take a screenshot of the current page or a specific element
 *
 * @param input.name - Name for the screenshot
 * @param input.encoded - If true, capture the screenshot as a base64-encoded data URI (as text) instead of binary image content. Default false.
 * @param input.height - Height in pixels (default: 600)
 * @param input.selector - CSS selector for element to screenshot
 * @param input.width - Width in pixels (default: 800)
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_screenshot(input: PuppeteerScreenshotInput): Promise<PuppeteerScreenshotOutput>;

// tools/puppeteer_select.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface PuppeteerSelectInput {
  /** CSS selector for element to select */
  selector: string;
  /** Value to select */
  value: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type PuppeteerSelectOutput = string | McpResult;

/**
 * Select an element on the page with Select tag
 *
 * @param input.selector - CSS selector for element to select
 * @param input.value - Value to select
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function puppeteer_select(input: PuppeteerSelectInput): Promise<PuppeteerSelectOutput>;

// sha256-CjXwHokkDhANOX1XoQmG/L9UazB64IN3LQgixdI1CTU= of all files of the package
// ec4022e84b20 index.js
// b477aa737b9c meta.d.ts
// 7de476de34b4 meta.js
// 4e64c558c7e7 tools.json
// a159835f64db tools/puppeteer_click.js
// e25684a214ab tools/puppeteer_click.validator.js
// e6b00ea5e366 tools/puppeteer_evaluate.js
// b93c9aab20cf tools/puppeteer_evaluate.validator.js
// f26bcfc722d9 tools/puppeteer_fill.js
// 02822cf1b816 tools/puppeteer_fill.validator.js
// 0edebbeb0fe0 tools/puppeteer_hover.js
// e25684a214ab tools/puppeteer_hover.validator.js
// 998d6bf507f0 tools/puppeteer_navigate.js
// 8d134af890e5 tools/puppeteer_navigate.validator.js
// 2cb5d237fc7d tools/puppeteer_screenshot.js
// d4c7df0f7fc4 tools/puppeteer_screenshot.validator.js
// 5084971bce54 tools/puppeteer_select.js
// 02822cf1b816 tools/puppeteer_select.validator.js
