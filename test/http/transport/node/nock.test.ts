import nock from 'nock';
import { onTestFinished } from 'vitest';
import { type NetworkMock, suite, unreachableUrls } from './replaced-network.ts';

const replace: NetworkMock = (url, reaction, onArrival) => {
  const interceptor = nock(url).persist().post(/./);
  interceptor.reply(200, () => {
    onArrival();
    if (reaction === 'never reply') return new Promise<never>(() => {});
    if (reaction === 'approve') return 'response=1';
    throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
  });
  onTestFinished(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
};

suite('nock', replace, unreachableUrls);
