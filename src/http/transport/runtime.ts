import { fetchTransport } from './fetch.ts';
import type { Transport } from './transport.ts';

/** The global `fetch` is looked up at each call: tools such as msw replace it after the client was made. */
let transport: Transport = fetchTransport((request) => globalThis.fetch(request));

/** What carries requests on this runtime where the user gave no `fetch`. */
export const runtimeTransport: Transport = (request, interruption) => transport(request, interruption);

/** Says what does so from now on. For the entry of a runtime that has something better than its `fetch`. */
export function setRuntimeTransport(better: Transport): void {
  transport = better;
}
