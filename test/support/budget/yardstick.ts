/** What `slowness` takes on the reference machine, in ms. */
const reference = 1.4;

/**
 * How many times slower this machine is than the reference machine, by work that needs memory as the tests do. One measurement is
 * rough, since other work may interrupt it, so that many are needed.
 */
export function slowness(): number {
  const start = performance.now();
  const items = Array.from({ length: 4000 }, (_, index) => ({
    id: `id_${index}`,
    amount: index,
    list: [index],
  }));
  // The result is used, or a compiler could leave the work out.
  const isDone = JSON.parse(JSON.stringify(items)).length === items.length;
  return isDone ? (performance.now() - start) / reference : Number.NaN;
}
