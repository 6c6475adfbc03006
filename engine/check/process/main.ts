// The process that type-checks what agents send. It holds no credential, and the host lives on when it dies.
import { answerMessages } from "../../process/answer-messages.ts";
import type { CheckerTask } from "../check-request.ts";
import { makeScriptChecker } from "../check-script.ts";

const checker = makeScriptChecker();

answerMessages((message): Promise<unknown> => {
  const { kind, request, offset } = message as CheckerTask;
  return checker[kind](request, offset);
});
