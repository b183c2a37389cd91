/** Texts that a program passes as an id, a path, a header or a URL. */

import { words } from '../words.ts';

const addresses = words(
  `https://evil.example/v1/refunds //evil.example/v1 @evil.example/ :@evil.example \\\\evil.example\\v1
  /\\evil.example file:///etc/passwd http://127.0.0.1/?x http://user:pass@127.0.0.1/`,
);
const paths = words(
  `. .. %2e%2e .%2E ../../admin /v1/../../admin /v1/%2e%2e/admin /v1/.\t./admin /v1/payouts /v1/refunds?x=1
  /v1/refunds#x /v1/茶 /v1/café /v1/pay␣outs /v1/{id}/"x"<y> ${'../'.repeat(500)} /v1/${'a/'.repeat(2000)}`,
);
const routes = words(
  `GET␣/v1/refunds/{id} get␣/v1/refunds/{id} CONNECT␣/v1/{id} GET␣//evil.example/{id} GET␣/../admin/{id}
  GET␣/%2e%2e/admin/{id} GET␣/v1/\u0001/{id} GET␣/v1/{id}/{id} GET␣/v1/café/{id} GET␣/v1/茶/{id} refunds.retrieve POST`,
);
const ids = words(
  `rf_1 ch_1 rf_../../x rf_1?x=1 rf_1/cancel 42 4111111111111111 sk_v1_test_other0001 ␣ ␣abc␣ ${'a'.repeat(5000)}`,
);
const names = words(
  `x-order Host connection content-length Transfer-Encoding te trailer upgrade expect chunked __proto__ constructor
  toString`,
);
const characters = words(
  `a&limit=1 a+b 100% %00 %0d%0ax a\0b a\u0007b a\tb a\u007fb a\u0085b a\u00a0b a\u2028b a\u202eb \uFEFFabc café 🍵 a\ufffdb`,
);
const lineBreaks = ['', 'a\r\nx-forged: 1', '\nabc', 'abc\n', 'abc\r'];

export const texts = [addresses, paths, routes, ids, names, characters, lineBreaks].flat();

/** The words of texts. */
export const textWords = words('/ .. . %2e \\ ? # {id} GET␣ /v1 : @ ␣ x é rf_').concat('\r', '\n');
