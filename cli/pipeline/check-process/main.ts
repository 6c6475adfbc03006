// The process that type-checks what agents send. It holds no credential, and the host lives on when it dies.
import { answerMessages } from "../answer-messages.ts";
import { makeScriptChecker } from "../check/check-script.ts";

answerMessages(makeScriptChecker().check);
