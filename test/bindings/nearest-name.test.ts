import { nearestName, nearestTool } from "@codemode/runtime/nearest-name";
import { expect, test } from "vitest";

test.each([
  ["read_file", "readFile", ["write_file", "read_file"]],
  ["read_file", "raed_file", ["write_file", "read_file"]],
  ["limits", "limit", ["policy", "limits"]],
  [undefined, "frobnicate", ["policy", "limits"]],
  ["city", "ctiy", ["country", "city"]],
  [undefined, "a", ["b"]],
  // A third of the letters may differ: insertions, deletions, substitutions, and swaps of neighbours.
  ["abcxy", "abcde", ["abcxy"]],
  [undefined, "abcde", ["abxyz"]],
  ["abcdefg", "abcde", ["abcdefg"]],
  [undefined, "abcde", ["abcdefgh"]],
  ["cde", "abcde", ["cde"]],
  [undefined, "abcde", ["de"]],
  ["bacd", "abcd", ["bacd"]],
  ["abdc", "abcd", ["abdc"]],
  [undefined, "xaby", ["xbcy"]],
  [undefined, "xaby", ["xcay"]],
  ["bacdfe", "abcdef", ["bacdfe"]],
  [undefined, "abcdef", ["badcxx"]],
  ["nearer", "nearerx", ["nearexxx", "nearer"]],
  ["first", "firsx", ["first", "firsy"]],
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
  // A form begins with the other name, has four letters of it, and twice as many at most.
  ["listfour", "list", ["listfour"]],
  [undefined, "list", ["list_five5"]],
  [undefined, "tell", ["ytellfour"]],
  [undefined, "tel", ["telfou"]],
  ["tell", "tell_four", ["telling_all", "tell"]],
  ["tell_abc", "tell", ["tell_abc", "tell_xyz"]],
  ["tell_it", "tell", ["tell_abcd", "tell_it"]],
  [`tell${"x".repeat(300)}`, `tell${"x".repeat(196)}yy`, [`tell${"x".repeat(300)}`]],
  // A tool that writes is not meant by one that reads, wherever the verb stands.
  [undefined, "notes_get", ["notes_set", "notes_put"]],
  ["notes_get_all", "notesGet", ["notes_set", "notes_get_all"]],
  [undefined, "read_note", ["send_note"]],
  [undefined, "ReadNote", ["SendNote"]],
  ["set_note", "setNotes", ["get_note", "set_note"]],
])("of tools, %s for %s", (want, name, candidates) => {
  expect(nearestTool(name, candidates)).toBe(want);
});

test("a verb counts as a word of the name, and the first one decides", () => {
  expect(nearestTool("get_set_size", ["get_set_sizes", "set_set_sizes"])).toBe("get_set_sizes");
  expect(nearestTool("offset_get", ["offset_put"])).toBeUndefined();
  expect(nearestTool("GETNote", ["PUTNote"])).toBeUndefined();
  expect(nearestTool("getURLs", ["putURLs", "getURL"])).toBe("getURL");
  expect(nearestTool("note", ["note_", "set_note"])).toBe("note_");
  expect(nearestTool("1", ["2"])).toBeUndefined();
});
