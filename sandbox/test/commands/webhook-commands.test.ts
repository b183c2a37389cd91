import { expect, it } from 'vitest';
import { start } from '../control/support.ts';

it('does not say that an endpoint misses nothing, though it was disabled, and names what delivers those events', async () => {
  const { sandbox, call } = start();
  const perform = async (name: string) => (await call('commands', 'POST', { name })).body;
  const received: string[] = [];
  const { id, url } = sandbox.webhooks.deliverTo(async (request) => {
    received.push(JSON.parse(await request.text()).id);
    return new Response();
  });
  await perform('webhooks.disable');
  const event = sandbox.trigger('customer.created');
  await sandbox.settled();
  const replay = "'webhooks replay <event>' delivers an event from while it was disabled.";
  expect((await perform('webhooks.list')).details).toEqual([`${id}  ${url}  disabled, no delivery failed`]);
  expect((await perform('webhooks.enable')).message).toBe(`Enabled ${id}. ${replay}`);
  expect((await perform('webhooks.redeliver')).message).toBe(`No delivery to the endpoint failed. ${replay}`);
  sandbox.webhooks.replay(event.id);
  await sandbox.settled();
  expect(received).toEqual([event.id]);
});
