/** Makes the first call of a process, and prints the seconds of CPU time that it took, without the import. */

import type { Job } from './side.ts';

const [library, url = ''] = process.argv.slice(2);
const { create }: { readonly create: Job } = await import(`./sides/${library}.ts`);

const before = process.cpuUsage();
const once = await create({ url, workPerPage: 0 });
await once();
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
process.exit();
