// Thinks in three steps, and once in a branch.
import { sequentialthinking } from "@codemode/servers/thinking";

let number = 0;
let isNeeded = true;
const lengths: number[] = [];
while (isNeeded) {
  const step = await sequentialthinking({
    thought: `Step ${number + 1}`,
    thoughtNumber: number + 1,
    totalThoughts: 3,
    nextThoughtNeeded: number < 2,
  });
  number = step.thoughtNumber;
  isNeeded = step.nextThoughtNeeded && number < step.totalThoughts;
  lengths.push(step.thoughtHistoryLength);
}
const branch = await sequentialthinking({
  thought: "Another way",
  thoughtNumber: number,
  totalThoughts: 3,
  nextThoughtNeeded: false,
  branchFromThought: 1,
  branchId: "other",
});
export default { number, lengths, branches: branch.branches };
