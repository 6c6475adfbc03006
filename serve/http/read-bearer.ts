/** The token of an Authorization header, as RFC 6750 writes it; undefined where there is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}
