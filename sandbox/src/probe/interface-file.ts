import type { ServiceInterface } from 'payments-client';
import { stringifySorted } from '../base/json.ts';

const schema = './node_modules/payments-client/dist/interface.schema.json';

/** Returns the text of `payments.interface.json`: the same facts always give the same text. */
export function writeInterfaceFile(known: ServiceInterface): string {
  const sorted: object = JSON.parse(stringifySorted(known));
  return `${JSON.stringify({ $schema: schema, ...sorted }, null, 2)}\n`;
}
