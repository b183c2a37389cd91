/** Taken before a test replaces it by a false clock. */
const now = performance.now.bind(performance);

/** What `slowness` takes on the reference machine, in ms. */
const reference = 1.4;

/**
 * How many times slower this machine is than the reference machine, by work that needs memory as the tests do. One measurement is
 * rough, since other work may interrupt it, so that many are needed.
 */
export function slowness(): number {
  const start = now();
  const items = Array.from({ length: 4000 }, (_, index) => ({
    id: `id_${index}`,
    amount: index,
    list: [index],
  }));
  // The result is used, or a compiler could leave the work out.
  const isDone = JSON.parse(JSON.stringify(items)).length === items.length;
  return isDone ? (now() - start) / reference : Number.NaN;
}
