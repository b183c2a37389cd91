/**
 * Measures how many forms per second are encoded and responses decoded: `npx node scripts/bench-transact.ts`. Asserts
 * nothing, since the results depend on the machine.
 */

import { Bench } from 'tinybench';
import { issuesOf } from '../src/base/validation.ts';
import { decodeForm } from '../src/transact/decode.ts';
import { encodeForm, type FormFields } from '../src/transact/encode.ts';
import { transactionSchemas } from '../src/transact/params.ts';
import { toResult } from '../src/transact/result.ts';

const sale = {
  type: 'sale',
  amount: '12.00',
  ccnumber: '4111111111111111',
  ccexp: '1299',
  cvv: '123',
  ipaddress: '203.0.113.7',
  email: 'ada+tea@example.com',
  phone: '+1 (555) 0100',
  address1: '1 Main St. #2',
  city: 'São Paulo',
  state: 'SP',
  zip: '01310-100',
  risk_session_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
};
const saleFields: FormFields = [['security_key', 'key-of-the-benchmark'], ...Object.entries(sale)];

const extras = 'authcode=123456&orderid=&type=sale&response_code=100';
const checks = 'avsresponse=Y&cvvresponse=M&risk_score=10&risk_decision=A';
const responses = {
  unescaped: `response=1&responsetext=Approved now: REFID 316 [ok]&transactionid=316&${checks}&${extras}`,
  escaped: `response=1&responsetext=Approved+now%3A+REFID+316+%5Bok%5D&transactionid=316&${checks}&${extras}`,
  json: JSON.stringify({
    response: 1,
    responsetext: 'Approved now: REFID 316 [ok]',
    transactionid: 316,
    ...Object.fromEntries(new URLSearchParams(`${checks}&${extras}`)),
  }),
};

/** Decodes a body as `Transact` does, up to the result. */
function decode(body: string): unknown {
  const decoded = decodeForm(body);
  if ('issue' in decoded) throw new Error(`Expected a valid response, got a wrong ${decoded.issue.path}.`);
  return toResult(decoded.fields);
}

const bench = new Bench({ time: 1_000 });
bench.add('sale: validate the fields', () => issuesOf(transactionSchemas.decimal.sale, sale));
bench.add('sale: encode, urlencoded', () => encodeForm(saleFields, 'urlencoded'));
bench.add('sale: encode, multipart', () => encodeForm(saleFields, 'multipart'));
for (const [name, response] of Object.entries(responses))
  bench.add(`response: decode, ${name}`, () => decode(response));
await bench.run();

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
console.table(bench.table());
