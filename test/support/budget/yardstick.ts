/** The processor time of `slowness` on the reference machine, in ms. */
const reference = 1.4;

/**
 * How many times slower this machine is than the reference machine, by work that needs memory as the tests do. One measurement is
 * rough, so that many are needed. Processor time, since a busy machine lets the work wait without making it slower.
 */
export function slowness(): number {
  const start = process.threadCpuUsage();
  const items = Array.from({ length: 4000 }, (_, index) => ({
    id: `id_${index}`,
    amount: index,
    list: [index],
  }));
  // The result is used, or a compiler could leave the work out.
  const isDone = JSON.parse(JSON.stringify(items)).length === items.length;
  const { user, system } = process.threadCpuUsage(start);
  return isDone ? (user + system) / 1000 / reference : Number.NaN;
}
