/** Does the work once, behind all that this turn of the event loop brings, however often it is asked for until then. */
export function oncePerTurn(work: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    setImmediate(() => {
      isAsked = false;
      work();
    });
  };
}
