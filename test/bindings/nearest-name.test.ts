import { nearestName, nearestTool } from "@codemode/runtime/nearest-name";
import { expect, test } from "vitest";

test.each([
  ["read_file", "readFile", ["write_file", "read_file"]],
  ["read_file", "raed_file", ["write_file", "read_file"]],
  ["limits", "limit", ["policy", "limits"]],
  [undefined, "frobnicate", ["policy", "limits"]],
  ["city", "ctiy", ["country", "city"]],
  [undefined, "a", ["b"]],
  [undefined, "x", []],
  [undefined, "x".repeat(100_000), [`${"x".repeat(100_000)}y`]],
])("%s for %s", (want, name, candidates) => {
  expect(nearestName(name, candidates)).toBe(want);
});

test.each([
  ["list_dir", "list_directory", ["create_directory", "directory_tree", "list_dir"]],
  [undefined, "list_directory", ["create_directory", "move_directory"]],
  ["readFiles", "read_file", ["write_file", "readFiles"]],
  ["write_file", "wriet_file", ["read_file", "write_file"]],
  ["get_sum", "get_sums", ["set_sums", "get_sum"]],
  ["settings", "setings", ["settings"]],
  // The same name spelled otherwise comes before any other.
  [
    "get_pull_request_files",
    "getPullRequestFiles",
    ["get_pull_request", "get_pull_request_files", "get_pull_request_status"],
  ],
  ["create_pull_request_review", "createPullRequestReview", ["create_pull_request", "create_pull_request_review"]],
  ["get_issue_comments", "getIssueComments", ["get_issue", "get_issue_comments"]],
  ["list_directory_with_sizes", "listDirectoryWithSizes", ["list_directory", "list_directory_with_sizes"]],
  ["browser_navigate_back", "browserNavigateBack", ["browser_navigate", "browser_navigate_back"]],
  ["list_issues", "listIssues", ["list_issue", "list_issues"]],
  ["get-entity-17", "getEntity17", ["get_entity_1", "get-entity-17"]],
  ["a_b_c_d_e_f", "abcdef", ["abcdeg", "a_b_c_d_e_f"]],
  // Then distance, then the form that is nearest in length.
  ["get_file_info", "getFileInf", ["get_file", "get_file_info"]],
  ["list_directory", "list_dir", ["list_directory_sizes", "list_directory"]],
  // A tool that writes is not meant by one that reads, wherever the verb stands.
  [undefined, "notes_get", ["notes_set", "notes_put"]],
  ["notes_get_all", "notesGet", ["notes_set", "notes_get_all"]],
  [undefined, "read_note", ["send_note"]],
  [undefined, "ReadNote", ["SendNote"]],
  ["set_note", "setNotes", ["get_note", "set_note"]],
])("of tools, %s for %s", (want, name, candidates) => {
  expect(nearestTool(name, candidates)).toBe(want);
});
