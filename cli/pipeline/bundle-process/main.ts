// The process that parses what agents send. It holds no credential, and the host lives on when it dies.
import { bundleScript } from "../bundle/bundle-script.ts";
import type { BundleReply, BundleRequest } from "./messages.ts";

process.on("message", (message) => {
  // Only the host has the other end of this channel.
  const { script, options } = message as BundleRequest;
  void bundleScript(script, options).then(
    (outcome) => reply({ outcome }),
    (error: unknown) => reply({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());

function reply(message: BundleReply): void {
  process.send?.(message);
}
