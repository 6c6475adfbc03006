// index.d.ts
export { __meta__ } from "./meta.js";
export { slack_add_reaction, type SlackAddReactionInput, type SlackAddReactionOutput } from "./tools/slack_add_reaction.js";
export { slack_get_channel_history, type SlackGetChannelHistoryInput, type SlackGetChannelHistoryOutput } from "./tools/slack_get_channel_history.js";
export { slack_get_thread_replies, type SlackGetThreadRepliesInput, type SlackGetThreadRepliesOutput } from "./tools/slack_get_thread_replies.js";
export { slack_get_user_profile, type SlackGetUserProfileInput, type SlackGetUserProfileOutput } from "./tools/slack_get_user_profile.js";
export { slack_get_users, type SlackGetUsersInput, type SlackGetUsersOutput } from "./tools/slack_get_users.js";
export { slack_list_channels, type SlackListChannelsInput, type SlackListChannelsOutput } from "./tools/slack_list_channels.js";
export { slack_post_message, type SlackPostMessageInput, type SlackPostMessageOutput } from "./tools/slack_post_message.js";
export { slack_reply_to_thread, type SlackReplyToThreadInput, type SlackReplyToThreadOutput } from "./tools/slack_reply_to_thread.js";

// tools/slack_add_reaction.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackAddReactionInput {
  /** The ID of the channel containing the message */
  channel_id: string;
  /** The name of the emoji reaction (without ::) */
  reaction: string;
  /** The timestamp of the message to react to */
  timestamp: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackAddReactionOutput = string | McpResult;

/**
 * Add a reaction emoji to a message
 *
 * @param input.channel_id - The ID of the channel containing the message
 * @param input.reaction - The name of the emoji reaction (without ::)
 * @param input.timestamp - The timestamp of the message to react to
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_add_reaction(input: SlackAddReactionInput): Promise<SlackAddReactionOutput>;

// tools/slack_get_channel_history.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackGetChannelHistoryInput {
  /** The ID of the channel */
  channel_id: string;
  /** Number of messages to retrieve (default 10). Default: `10`. */
  limit?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackGetChannelHistoryOutput = string | McpResult;

/**
 * Get recent messages from a channel
 *
 * @param input.channel_id - The ID of the channel
 * @param input.limit - Number of messages to retrieve (default 10). Default: `10`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_get_channel_history(input: SlackGetChannelHistoryInput): Promise<SlackGetChannelHistoryOutput>;

// tools/slack_get_thread_replies.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackGetThreadRepliesInput {
  /** The ID of the channel containing the thread */
  channel_id: string;
  /**
   * The timestamp of the parent message in the format '1234567890.123456'. Timestamps in the format without the period can be converted by adding the period such that 6 numbers come after it.
   */
  thread_ts: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackGetThreadRepliesOutput = string | McpResult;

/**
 * Get all replies in a message thread
 *
 * @param input.channel_id - The ID of the channel containing the thread
 * @param input.thread_ts - The timestamp of the parent message in the format '1234567890.123456'. Timestamps in the format without the period can be converted by adding the period such that 6 numbers come after it.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_get_thread_replies(input: SlackGetThreadRepliesInput): Promise<SlackGetThreadRepliesOutput>;

// tools/slack_get_user_profile.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackGetUserProfileInput {
  /** The ID of the user */
  user_id: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackGetUserProfileOutput = string | McpResult;

/**
 * Get detailed profile information for a specific user
 *
 * @param input.user_id - The ID of the user
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_get_user_profile(input: SlackGetUserProfileInput): Promise<SlackGetUserProfileOutput>;

// tools/slack_get_users.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackGetUsersInput {
  /** Pagination cursor for next page of results */
  cursor?: string;
  /** Maximum number of users to return (default 100, max 200). Default: `100`. */
  limit?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackGetUsersOutput = string | McpResult;

/**
 * Get a list of all users in the workspace with their basic profile information
 *
 * @param input.cursor - Pagination cursor for next page of results
 * @param input.limit - Maximum number of users to return (default 100, max 200). Default: `100`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_get_users(input?: SlackGetUsersInput): Promise<SlackGetUsersOutput>;

// tools/slack_list_channels.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackListChannelsInput {
  /** Pagination cursor for next page of results */
  cursor?: string;
  /** Maximum number of channels to return (default 100, max 200). Default: `100`. */
  limit?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackListChannelsOutput = string | McpResult;

/**
 * List public or pre-defined channels in the workspace with pagination
 *
 * @param input.cursor - Pagination cursor for next page of results
 * @param input.limit - Maximum number of channels to return (default 100, max 200). Default: `100`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_list_channels(input?: SlackListChannelsInput): Promise<SlackListChannelsOutput>;

// tools/slack_post_message.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackPostMessageInput {
  /** The ID of the channel to post to */
  channel_id: string;
  /** The message text to post */
  text: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackPostMessageOutput = string | McpResult;

/**
 * Post a new message to a Slack channel
 *
 * @param input.channel_id - The ID of the channel to post to
 * @param input.text - The message text to post
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_post_message(input: SlackPostMessageInput): Promise<SlackPostMessageOutput>;

// tools/slack_reply_to_thread.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SlackReplyToThreadInput {
  /** The ID of the channel containing the thread */
  channel_id: string;
  /** The reply text */
  text: string;
  /**
   * The timestamp of the parent message in the format '1234567890.123456'. Timestamps in the format without the period can be converted by adding the period such that 6 numbers come after it.
   */
  thread_ts: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SlackReplyToThreadOutput = string | McpResult;

/**
 * Reply to a specific message thread in Slack
 *
 * @param input.channel_id - The ID of the channel containing the thread
 * @param input.text - The reply text
 * @param input.thread_ts - The timestamp of the parent message in the format '1234567890.123456'. Timestamps in the format without the period can be converted by adding the period such that 6 numbers come after it.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function slack_reply_to_thread(input: SlackReplyToThreadInput): Promise<SlackReplyToThreadOutput>;

// sha256-Zj2azGXIRW99v8DQBCvmeiWomcNp6EA4y6kU3JrE//Y= of all files of the package
// 7770eb7ca7f7 index.js
// b477aa737b9c meta.d.ts
// 5d494a172a66 meta.js
// 1e7b82589ac4 tools.json
// 2e25905bdec2 tools/slack_add_reaction.js
// c365a5a27947 tools/slack_add_reaction.validator.js
// 378fb873185c tools/slack_get_channel_history.js
// 531a5eddd6da tools/slack_get_channel_history.validator.js
// 644293fa33f7 tools/slack_get_thread_replies.js
// b61fbe66e9fb tools/slack_get_thread_replies.validator.js
// 6ddbe2304858 tools/slack_get_user_profile.js
// fcfeadea79aa tools/slack_get_user_profile.validator.js
// 0f701a499b36 tools/slack_get_users.js
// e76a2fdbfacf tools/slack_get_users.validator.js
// f1140d6f6b79 tools/slack_list_channels.js
// e76a2fdbfacf tools/slack_list_channels.validator.js
// 8fcf7d46ab6d tools/slack_post_message.js
// 298754f11a7b tools/slack_post_message.validator.js
// 27ef92ceae86 tools/slack_reply_to_thread.js
// 1b83f8d2ee2f tools/slack_reply_to_thread.validator.js
