import fc from "fast-check";

// A mutant meets the property tests too: with fewer samples, and without a search for the shortest one that fails, they take a tenth of the time.
fc.configureGlobal({ numRuns: 50, endOnFailure: true });
