const KEY = "codemode-token";

/**
 * The token of the address, which goes out of the address bar and the history. It is kept for a reload in the storage of this tab,
 * which no other origin can read; a cookie would be sent to every port of this machine.
 */
export function takeToken(): string | undefined {
  const given = location.hash.slice(1);
  if (/^[\w-]{43}$/.test(given)) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}
