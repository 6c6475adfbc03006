/** Says no before a server of MCP has seen the request, in the form that clients of MCP read. */
export function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32_000,
): Response {
  const body = { jsonrpc: "2.0", error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}
