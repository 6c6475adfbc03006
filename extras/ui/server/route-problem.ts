/** Why a request of the page cannot be answered, in words for the person at it. */
export class RouteProblem extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  /** @param status as in HTTP: 400 for a wrong request, 403 for a wrong passphrase, 404 for what is not there, 409 where something has changed meanwhile */
  constructor(status: 400 | 403 | 404 | 409, message: string, hint?: string) {
    super(message);
    this.name = "RouteProblem";
    this.status = status;
    this.hint = hint;
  }
}
