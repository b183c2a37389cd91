/** Whatever a program passes in any parameter is refused by name before sending, or is sent unchanged in one request. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { everyNth, size } from '../support/size.ts';
import { bytesLike } from './bytes-like.ts';
import {
  judgeBaseUrl,
  judgeCall,
  type Options,
  parameters,
  sendBody,
  sendForm,
  transports,
  useRecordingService,
} from './callers.ts';
import { anyValue, ids, strangeNames } from './dimensions.ts';
import { assertAlways } from './parser.ts';
import { texts, textWords } from './parsers/texts.ts';
import type { Fields } from './service.ts';
import { words } from './words.ts';

useRecordingService();

const corpus = texts.map((text) => Buffer.from(text));
const textLike = (vocabulary: readonly string[]) =>
  bytesLike({ corpus, vocabulary }).map((bytes) => bytes.toString('utf8'));

const anyText = fc.oneof(textLike(textWords), ids, strangeNames);
describe.each(parameters)('any value as $name', ({ name, parameter, index }) => {
  it('is refused by name, or is sent unchanged in one request', async () => {
    const endings = new Set<string>();
    const transport = fc.constantFrom(...transports);
    // Texts matter most where a text is expected, objects where an object is.
    const weight = parameter.readBack === undefined ? 1 : 3;
    const inputs = fc.tuple(fc.oneof({ weight, arbitrary: anyText }, anyValue), transport);
    const kept = everyNth(texts, 8, index).map((text, at): [unknown, Options] => [
      text,
      transports[at % 2] ?? {},
    ]);
    const judge = async ([value, more]: readonly [unknown, Options]) =>
      endings.add(await judgeCall(parameter, value, more));
    await assertAlways(`any value as ${name}`, inputs, 80, judge, { examples: kept });
    // A parameter that refuses every text would prove nothing.
    if (size !== 'short' && parameter.readBack !== undefined) expect([...endings]).toContain('sent');
  });
});

describe('a text as base URL', () => {
  it('leads to its own host, or is refused', async () => {
    const hosts = words('https:// http:// shop.example 127.0.0.1 [::1] : / .. @ \\ ? # %2e ␣');
    const endings = new Set<string>();
    const judge = async (text: string) => endings.add(await judgeBaseUrl(text));
    await assertAlways('a text as base URL', textLike(hosts), 400, judge, {
      examples: [...texts, 'https://shop.example/a/', 'http://localhost:4000'],
    });
    expect([...endings].sort()).toEqual(['refused', 'sent']);
  });
});

/** Parameters whose field changes whenever something looks at it, or right after the call. */
const changing: Readonly<Record<string, (params: Fields) => { params: object; later?: () => void }>> = {
  'a getter that returns another value each time': (params) => {
    let reads = 0;
    const get = () => {
      reads += 1;
      return `read ${reads}`;
    };
    return { params: Object.defineProperty({ ...params }, 'orderid', { get, enumerable: true }) };
  },
  'a proxy that returns another value each time': (params) => {
    let reads = 0;
    const get = (target: object, name: string) => {
      if (name !== 'orderid') return Reflect.get(target, name);
      reads += 1;
      return `read ${reads}`;
    };
    return { params: new Proxy({ ...params, orderid: '' }, { get }) };
  },
  'an object that is changed right after the call': (params) => {
    const changed: Record<string, unknown> = { ...params, orderid: 'read 1' };
    return {
      params: changed,
      later: () => {
        changed['orderid'] = 'read 2';
        changed['amount'] = 1;
      },
    };
  },
};

describe.each(Object.entries(changing))('%s', (_what, make) => {
  it.each(transports)('is read once, and sent as it was checked (transport %#)', async (more) => {
    for (const send of [sendForm, sendBody]) {
      const { params, later } = make(send === sendForm ? saleParams : { ...refundParams, amount: 5 });
      const sent = send(params, more);
      later?.();
      expect(await sent).toMatchObject({ orderid: 'read 1' });
    }
  });
});
