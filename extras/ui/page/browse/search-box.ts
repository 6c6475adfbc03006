import type { ToolPlace } from "../../../../schemas/ui-messages.ts";
import type { ToolList } from "./tool-list.ts";

const DELAY_MS = 120;

export interface SearchBoxOptions {
  list: ToolList;
  /** Tells how many were found to who does not see the list. */
  status: HTMLElement;
  search: (query: string) => Promise<ToolPlace[]>;
}

/** Searches while the user types; discards an answer to an outdated query. */
export function startSearchBox(input: HTMLInputElement, { list, status, search }: SearchBoxOptions): void {
  let timer: number | undefined;
  let newest = 0;
  const look = async (): Promise<void> => {
    const query = input.value.trim();
    const number = (newest += 1);
    if (query === "") {
      status.textContent = "";
      return list.showAll();
    }
    const found = await search(query);
    if (number !== newest) return;
    list.showFound(found);
    status.textContent = found.length === 1 ? "1 tool found" : `${found.length} tools found`;
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), DELAY_MS);
  });
  list.showAll();
}
