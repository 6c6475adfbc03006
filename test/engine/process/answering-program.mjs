// Answers according to the question's `do`.
process.on("message", (question) => {
  if (question.do === "die") process.exit(7);
  if (question.do === "hang") for (;;);
  if (question.do === "fill") for (const list = []; ;) list.push(Array.from({ length: 1e5 }, Math.random));
  if (question.do === "wait") setTimeout(() => process.send({ answer: {} }), 1_000);
  if (question.do === "fail") process.send({ error: "It failed." });
  if (question.do === "tell") process.send({ answer: { pid: process.pid, names: Object.keys(process.env) } });
});
process.send({ ready: true });
process.on("disconnect", () => process.exit());
