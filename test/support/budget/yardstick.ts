/** Arithmetic, and how long it takes on the reference machine, in ms. */
function calculate(): number {
  let hash = 0;
  for (let index = 0; index < 1_000_000; index += 1) hash = Math.imul(hash ^ index, 0x01000193);
  return hash;
}
const referenceArithmetic = 1.1;

/** Objects and their JSON, which need memory as the tests do, and how long they take on the reference machine, in ms. */
function allocate(): number {
  const items = Array.from({ length: 4000 }, (_, index) => ({
    id: `id_${index}`,
    amount: index,
    list: [index],
  }));
  return JSON.parse(JSON.stringify(items)).length;
}
const referenceMemory = 1.4;

/** Returns how long work takes, in ms. The fastest of several runs counts. */
function timeOf(work: () => number): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    // The result is used, or a compiler could leave the work out.
    return work() === 1 ? Number.NaN : performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * How many times slower this machine is than the reference machine. On a machine that others share, the same tests took 46 and 78
 * seconds within an hour, while arithmetic was as fast. So memory counts too, with the room that such an hour needs.
 */
export const slowness = Math.max(timeOf(calculate) / referenceArithmetic, timeOf(allocate) / referenceMemory);
