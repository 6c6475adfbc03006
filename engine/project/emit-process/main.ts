// Emits packages for a process that lives longer than that takes.
import { answerMessages } from "../../process/answer-messages.ts";
import { emitChanged } from "../emit/emit-changed.ts";
import type { EmissionRequest } from "./emit-apart.ts";

answerMessages((question) => {
  const { folder, servers, record } = question as EmissionRequest;
  return emitChanged(folder, servers, record);
});
