import { describe, expect, it } from "vitest";
import { isMisspelling } from "../../../engine/check/find-type-errors.ts";

describe("a name that is another one with a slip", () => {
  it.each([
    ["titel", "title"],
    ["logn", "login"],
    ["idd", "id"],
    ["di", "id"],
    ["label", "labels"],
    ["priec", "price"],
    ["prise", "price"],
    ["requestdI", "requestId"],
    ["created_at", "createdAt"],
    ["creatdAt", "created_at"],
    ["nextOccurence", "nextOccurrence"],
  ])("%s is %s", (written, known) => expect(isMisspelling(written, known)).toBe(true));

  it.each([
    ["created_by", "created_at"],
    ["completed_at", "completedTasks"],
    ["updatedAt", "createdAt"],
    ["first_name", "last_name"],
    ["user_ip", "user_id"],
    ["date", "data"],
    ["ids", "id"],
    ["uri", "url"],
    ["min_value", "max_value"],
    ["part1", "part2"],
    ["x", "y"],
    ["start", "state"],
  ])("%s may be another field than %s", (written, known) => expect(isMisspelling(written, known)).toBe(false));
});
