// The process of one contender: `contender-process.js MODULE`. The module exports `open(options)`, which connects the server and
// resolves to `{ run(work), close() }`. With `--once WORK OPTIONS` it runs one work and prints the result: a cold start.
const [module, mode, ...rest] = process.argv.slice(2);

if (mode === "--once") {
  const [work, options] = rest.map((text) => JSON.parse(text));
  const { open } = await import(module);
  const contender = await open(options);
  const result = await contender.run(work);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  await contender.close();
  process.exit(0);
}

let contender;
const answers = {
  async open({ options }) {
    const { open } = await import(module);
    contender = await open(options);
  },
  async run({ work }) {
    const startedAt = performance.now();
    await contender.run(work);
    return { ms: performance.now() - startedAt };
  },
  /** Keeps so many runs under way, for so many seconds or runs; with `isNew` each of another script. */
  async flood({ work, atOnce, seconds = Infinity, runs = Infinity, isNew = false }) {
    const startedAt = performance.now();
    let begun = 0;
    let done = 0;
    const isOver = () => begun >= runs || performance.now() - startedAt > seconds * 1000;
    const runOn = async () => {
      while (!isOver()) {
        begun += 1;
        await contender.run(isNew ? { ...work, nonce: Math.random() } : work);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, runOn));
    return { runs: done, took: (performance.now() - startedAt) / 1000 };
  },
  async close() {
    await contender?.close();
    process.exit(0);
  },
};
process.on("message", async (question) => {
  try {
    process.send({ value: await answers[question.kind](question) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit(0));
