import { BrowserError } from 'payments-client/browser';
import { expect, it } from 'vitest';

it('can be made as its type says', () => {
  const cause = new Error('mine');
  const error = new BrowserError('closed', { code: 'aborted', cause });
  expect(error).toBeInstanceOf(BrowserError);
  expect(error).toMatchObject({ name: 'BrowserError', message: 'closed', code: 'aborted', cause });
  expect(new BrowserError('odd')).toMatchObject({ code: 'script_failed' });
});
