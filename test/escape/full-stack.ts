/**
 * Script text that calls each of `actions` with almost no stack left. `found` holds the first thrown value that is foreign to the
 * script's realm.
 */
export const CALL_ON_FULL_STACK = `let deepest = 0;
    const dive = () => { deepest += 1; dive(); };
    try { dive(); } catch {}
    let found;
    for (const action of actions) {
      for (let spare = 1; spare < 90 && !found; spare += 3) {
        let depth = 0;
        const descend = () => {
          if (++depth < deepest - spare) return descend();
          try { action(); } catch (error) { found ||= foreign(error); }
        };
        try { descend(); } catch (error) { found ||= foreign(error); }
      }
    }`;
