// How the search of the site ranks. Its functions run in the reader's browser, as texts: they use nothing from outside of themselves.

/** A word of a question that says nothing of its subject is left out; others are compared in small letters. */
function processTerm(term) {
  const word = term.toLowerCase();
  const isEmpty =
    /^(?:a|an|and|any|are|as|at|be|can|do|does|for|from|get|how|i|if|in|into|is|it|its|me|my|of|on|one|or|should|so|that|the|there|this|to|what|when|where|which|who|why|will|with|you|your)$/;
  return isEmpty.test(word) ? null : word;
}

/** Pages that people use come before those that they look things up in, and these before what was measured. */
function rankPage(id) {
  if (
    /\/(?:start|scripts|surfaces|install|approvals|server-changes|ci|recording|web-servers|openapi|troubleshooting)\.html/.test(
      id,
    )
  )
    return 2;
  if (
    /\/(?:cli|configuration|sandbox|security|comparison|performance|serving-over-http|operations|logins|containers|scaling|telemetry|batches|durable|doctor)\.html/.test(
      id,
    )
  )
    return 1.6;
  return /\/(?:all-pages|changelog|benchmark-results|contributing|verification|specification|tokens|clients|gallery|evaluating|architecture|decisions|example-project|code-of-conduct)\.html|\/api\//.test(
    id,
  )
    ? 0.5
    : 1;
}

/** Options of MiniSearch, for the index and for each search. */
export const SEARCH = {
  options: { processTerm },
  searchOptions: { fuzzy: 0.15, prefix: true, boost: { title: 4, text: 1.5, titles: 2 }, boostDocument: rankPage },
};
