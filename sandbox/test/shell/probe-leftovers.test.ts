/** The program `payments-client probe` deletes what it creates, and prints what stays. */

import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { everyNth, thorough } from '../../../test/support/size.ts';
import {
  type Answering,
  expectProblem,
  fast,
  isCreation,
  isDeletion,
  isOurs,
  keyed,
  linesOf,
  probed,
  send,
  serviceBy,
  temporaryFolder,
} from './probing.ts';
import { endAll, launch } from './support.ts';

afterEach(endAll);

describe('what --create made', () => {
  const customer = (id: string) => ({ id, object: 'customer', first_name: 'Probe' });

  /** A service that makes another customer each time. */
  function forgetful(
    onDeletion: (response: ServerResponse) => void,
    onOther: Answering = () => false,
  ): Answering {
    let count = 0;
    return (request, response) => {
      if (isCreation(request)) {
        count += 1;
        return send(response, customer(`cus_${count}`));
      }
      return isDeletion(request) ? onDeletion(response) : onOther(request, response);
    };
  }

  const leftIn = (stdout: string) => linesOf(stdout).flatMap(({ left_behind: left }) => left ?? []);

  test('is deleted, also a second object for the same key', async () => {
    const { url, changes } = await serviceBy(forgetful((response) => void response.end()));
    const { code, stdout } = await probed(url, '--create', '--json');
    expect(code).toBe(0);
    expect(changes().slice(-2)).toEqual(['DELETE /v1/customers/cus_1', 'DELETE /v1/customers/cus_2']);
    expect(leftIn(stdout)).toEqual([]);
  });

  const deletions: readonly [string, (response: ServerResponse) => void, string][] = [
    ['refuses', (response) => void response.writeHead(405).end(), 'its deletion got a 405'],
    [
      'redirects',
      (response) => void response.writeHead(302, { location: '/' }).end(),
      'its deletion got a 302',
    ],
    ['drops', (response) => void response.destroy(), 'its deletion ended with ECONNRESET'],
    [
      'does not carry out',
      (response) => send(response, { id: 'cus_1', deleted: false }),
      'its deletion got a 200',
    ],
  ];

  test.each(everyNth(deletions, 3))(
    'is printed, if the service %s the deletion',
    async (_, onDeletion, reason) => {
      const { url } = await serviceBy(forgetful(onDeletion));
      const { code, stdout } = await probed(url, '--create', '--json');
      expect(code).toBe(0);
      const ids = ['cus_1', 'cus_2'];
      expect(leftIn(stdout)).toEqual(ids.map((id) => ({ path: '/v1/customers', id, reason })));
      const text = (await probed(url, '--create')).stdout;
      expect(text).toMatch(`Left behind: /v1/customers/cus_3 (${reason}). Delete it by hand.\n`);
    },
  );

  const creations: readonly [string, Answering, string][] = [
    [
      'fails',
      (_, response) => void response.writeHead(502).end(),
      'the creation got a 502, and may have succeeded',
    ],
    [
      'is lost',
      (_, response) => void response.destroy(),
      'the creation ended with ECONNRESET, and may have succeeded',
    ],
    [
      'has another form',
      (_, response) => send(response, { result: 1 }),
      'the answer to the creation has no id that can be shown',
    ],
  ];

  test.each(everyNth(creations, 3))(
    'is printed without an id, if the creation %s',
    async (_, onCreation, reason) => {
      const { url } = await serviceBy((request, response) =>
        isCreation(request) ? onCreation(request, response) : false,
      );
      const { stdout } = await probed(url, '--create', '--json');
      expect(leftIn(stdout)).toEqual([{ path: '/v1/customers', reason }]);
    },
  );

  test('is not deleted, if the answer is another object', async () => {
    const { url, changes } = await serviceBy((request, response) =>
      isCreation(request) ? send(response, { ...customer('cus_9'), first_name: 'Ada' }) : false,
    );
    const { stdout } = await probed(url, '--create', '--json');
    expect(changes()).toEqual(['POST /v1/customers']);
    const reason = 'the answer to the creation does not repeat what was sent';
    expect(leftIn(stdout)).toEqual([{ path: '/v1/customers', id: 'cus_9', reason }]);
  });

  test('is deleted after an interruption', async () => {
    let count = 0;
    let interrupt = () => {};
    const { url, changes } = await serviceBy(
      forgetful(
        (response) => void response.end(),
        () => {
          count += 1;
          if (count === 3) interrupt();
          return false;
        },
      ),
    );
    const out = join(await temporaryFolder(), 'found.json');
    const program = launch(['probe', '--create', '--base-url', url, '--out', out, ...fast], keyed);
    interrupt = () => void program.stop();
    const { code, stderr } = await program.ended;
    expect([code, count]).toEqual([1, 3]);
    expectProblem(stderr, /stopped: it was interrupted; nothing was written\.\n$/);
    expect(changes().slice(-2)).toEqual(['DELETE /v1/customers/cus_1', 'DELETE /v1/customers/cus_2']);
  });

  test(
    'a service that creates the object of an update ends the probe, which prints the object',
    thorough,
    async () => {
      const id = 'cus_no_such_object_payments_client_probe';
      const { url } = await serviceBy(({ method, url: path = '' }, response) => {
        if (method === 'PATCH') return response.writeHead(201).end();
        const isKnown = path === `/v1/customers/${id}/restore`;
        response.writeHead(404);
        return send(response, { error: { code: isKnown ? 'NO_OBJECT' : 'NO_PATH', message: 'none' } });
      });
      const { code, stdout, stderr } = await probed(url, '--json');
      expect(code).toBe(1);
      expect(stderr).toContain(
        `stopped: the service accepted an invalid PATCH /v1/customers/${id}; nothing was`,
      );
      const reason = 'the service accepted an invalid request';
      expect(leftIn(stdout)).toEqual([{ path: '/v1/customers', id, reason }]);
    },
  );

  test('a service that accepts an invalid request ends the probe, which prints the object', async () => {
    const { url, changes } = await serviceBy((request, response) => {
      if (isOurs(request)) return request.method === 'POST' ? send(response, { id: 'new_1' }) : false;
      const code = /no_such_(?:collection|operation)/.test(request.url ?? '') ? 'NO_PATH' : 'NO_OBJECT';
      response.writeHead(404);
      return send(response, { error: { code, message: 'none' } });
    });
    const { code, stdout, stderr } = await probed(url, '--json');
    expect([code, changes()]).toEqual([1, ['POST /v1/api_keys']]);
    expect(stderr).toContain(
      'stopped: the service accepted an invalid POST /v1/api_keys; nothing was written.',
    );
    const reason = 'the service accepted an invalid request';
    expect(leftIn(stdout)).toEqual([{ path: '/v1/api_keys', id: 'new_1', reason }]);
  });
});
