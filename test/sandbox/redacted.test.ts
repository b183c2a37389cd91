import { createSandbox } from 'payments-client/sandbox';
import { describe, expect, it } from 'vitest';

describe('the log of requests shows no card number', () => {
  it.each([' ', '-', '_', ':', ',', '|', '*', '–', '·', '\u200b'])(
    'with %j between its digits',
    async (sign) => {
      const sandbox = createSandbox();
      const number = encodeURI(['4111', '1111', '1111', '1111'].join(sign));
      await sandbox.fetch(new Request(`${sandbox.url}/v1/refunds/${number}`));
      expect(sandbox.requests.at(-1)?.path).not.toMatch(/1111/);
    },
  );
});
