/** A mistake that models make, and what must be said of it. */
export interface Mistake {
  title: string;
  /** The place is where `⟪` stands, which is taken out. */
  script: string;
  code?: "IMPORT_FAILURE" | "TYPE_ERROR";
  severity?: "warning" | "info";
  /** What the hint must contain: the fix. */
  hint: readonly string[];
}

/** Imports that scripts begin with. */
export const ECHO_IMPORT = 'import { echo, get_sum, get_annotated_message } from "@codemode/servers/everything";\n';
export const FILES_IMPORT =
  'import { read_text_file, list_directory, read_multiple_files } from "@codemode/servers/filesystem";\n';
export const MEMORY_IMPORT = 'import { create_entities, read_graph, search_nodes } from "@codemode/servers/memory";\n';
export const TICKETS_IMPORT =
  'import { create_ticket, list_tickets, close_ticket } from "@codemode/servers/tickets";\n';
