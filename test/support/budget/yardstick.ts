/** How long the same work takes on the reference machine, in ms. */
const referenceTime = 1.1;

function work(): number {
  const start = performance.now();
  let hash = 0;
  for (let index = 0; index < 1_000_000; index += 1) hash = Math.imul(hash ^ index, 0x01000193);
  // The result is used, or a compiler could leave the work out.
  return hash === 1 ? Number.NaN : performance.now() - start;
}

/** How many times slower this machine is than the reference machine. The fastest of several runs counts. */
export const slowness = Math.min(...Array.from({ length: 5 }, work)) / referenceTime;
