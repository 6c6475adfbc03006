import { describe, expect, test } from "vitest";
import { lockfileMissing } from "../../schemas/errors.ts";
import { toServeSettings } from "../../schemas/config/serve-settings.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { makeEarlyView } from "../../serve/client-presentation.ts";
import { present } from "../../serve/present.ts";
import type { ServedView } from "../../serve/surface.ts";
import { manyTools, ownLockfile, viewOf } from "./surfaces/view-of.ts";
import { connectAs } from "./connect-as.ts";

const config = { limits: DEFAULTS.limits, scripts: new Map() };

/** A presentation of the lockfile whose host is ready when it is said. */
function presentEarly(policy = { allow: ["*"], ask: [], deny: [] as string[] }) {
  const host = { resolve: (_view: ServedView): void => undefined, reject: (_error: Error): void => undefined };
  const ready = new Promise<ServedView>((resolve, reject) => Object.assign(host, { resolve, reject }));
  const view = makeEarlyView(ownLockfile, ready, config, ownAccess(policy));
  return { host, ready, view, presentation: present(view, toServeSettings()) };
}

describe("before the host is ready", () => {
  test("tools are listed from the lockfile, and a call waits", async () => {
    const { host, presentation } = presentEarly();
    const client = await connectAs("test", presentation);
    expect(await client.listNames()).toEqual(["codemode.run"]);
    const [tool] = await presentation.surface.listTools();
    expect(String(tool?.["description"])).toContain("\nmemory: add_observations, ");
    expect(presentation.listResources()).toHaveLength(7);
    let isAnswered = false;
    const answer = client.callTool("run", { code: "1" }).finally(() => (isAnswered = true));
    await client.listNames();
    expect(isAnswered).toBe(false);
    host.resolve(viewOf(ownLockfile).view);
    expect(await answer).toMatchObject({ structuredContent: { result: 1 } });
  });

  test("what the policy denies is not shown", async () => {
    const { view } = presentEarly({ allow: ["*"], ask: [], deny: ["memory/*"] });
    expect([...view.lockfile().servers.keys()]).toEqual(["everything", "filesystem"]);
  });
});

test("the host's lockfile is shown as soon as there is one", async () => {
  const { host, ready, view } = presentEarly();
  host.resolve(viewOf(manyTools(3)).view);
  await ready;
  expect([...view.lockfile().servers.keys()]).toEqual(["giant"]);
});

test("where there will be no host, each call says why", async () => {
  const { host, view } = presentEarly();
  host.reject(lockfileMissing("codemode.lock.json"));
  await expect(view.run({ code: "1", limits: {}, requestedCapabilities: [] }, {} as never)).rejects.toMatchObject({
    code: "LOCKFILE_MISSING",
  });
});
