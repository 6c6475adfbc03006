/** An answer as the SDK types it: what is a JSON value here has the members that the schema of the protocol asks for. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- where the answer is used says which type it has
export function asSdk<Answer>(answer: object): Answer {
  return answer as Answer;
}
