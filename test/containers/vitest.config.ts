import { defineConfig } from "vitest/config";

/** `npm run test:containers`: builds and runs the images with podman, and renders the manifests. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/containers/*.containers.ts"],
    testTimeout: 300_000,
    hookTimeout: 1_800_000,
    fileParallelism: false,
    deps: { interopDefault: false },
  },
});
