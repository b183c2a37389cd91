/**
 * The program prints external data as plain text: it sends no terminal escape, forges no line, and pollutes no prototype.
 * `test/bytes/command-line.test.ts` attacks it by its arguments.
 */

import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { endAll, parse, run } from '../../sandbox/test/shell/support.ts';
import { listen } from '../support/socket-server.ts';
import { controlCharacters } from './control-characters.ts';

afterEach(endAll);

const forged = 'forged\r\nsecond line\u001b[2J\u001b]0;title\u0007\u001b[8m\u009b31m\u007f\u202eexe';
/** The colours of the program's own output. */
const colours = ['1', '2', '22', '31', '32', '33', '35', '36', '39'].map((code) => `\u001b[${code}m`);

/** Returns the lines of an output, after checking that they contain only text and colours. */
function plainLines(output: string): string[] {
  const lines = output.trimEnd().split('\n');
  for (const line of lines) {
    const text = colours.reduce((rest, colour) => rest.replaceAll(colour, ''), line);
    expect(text).not.toMatch(controlCharacters);
  }
  return lines;
}

/** Starts a server that sends this response to every request. */
async function startServer(status: number, body: unknown): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

const event = {
  id: forged,
  type: forged,
  created: '2026-01-01T00:00:00.000Z',
  data: { object: { note: forged } },
};

describe('the program', () => {
  it('prints each event in one plain line', async () => {
    const url = await startServer(200, { data: [event, event] });
    const { stdout, code } = await run(['events', '--url', url, '--color']);
    expect(code).toBe(0);
    // Their day, then a line for each.
    expect(plainLines(stdout)).toHaveLength(3);
    expect(stdout).toContain('second line\\u001b[2J');
  });

  it('prints objects as complete JSON without control characters', async () => {
    const url = await startServer(200, {
      data: [event],
      result: event,
      message: forged,
      details: [forged],
    });
    const listed = await run(['events', '--json', '--url', url]);
    expect(plainLines(listed.stdout).map(parse)).toEqual([
      { kind: 'event', at: Date.parse(event.created), event },
    ]);
    for (const args of [
      ['trigger', 'customer.created'],
      ['webhooks', 'replay', 'evt_1'],
      ['clock', 'advance', '1 day'],
    ]) {
      const { stdout, stderr } = await run([...args, '--json', '--url', url]);
      plainLines(stdout + stderr);
      expect(parse(stdout)['id']).toBe(forged);
      const shown = await run([...args, '--url', url]);
      expect(plainLines(shown.stdout)).toHaveLength(2);
      expect(shown.stdout).toContain('second line\\u001b[2J');
    }
  });

  it('prints the refusal of a server in one plain line', async () => {
    const url = await startServer(400, { error: { message: forged } });
    const { stderr, code } = await run(['trigger', 'customer.created', '--url', url]);
    expect(code).toBe(1);
    expect(plainLines(stderr)).toHaveLength(1);
  });

  it.each(['__proto__.polluted=1', 'metadata.__proto__.polluted=1', '__proto__={"polluted":1}'])(
    'refuses a name of a prototype: --set %s',
    async (field) => {
      const { stderr, code } = await run(['trigger', 'customer.created', '--set', field]);
      expect(code).toBe(2);
      expect(stderr).toContain('expected --set to be field=value');
    },
  );

  it('sends other names of object members unchanged', async () => {
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      bodies.push(body);
      response.end('{}');
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    await run(['trigger', 'customer.created', '--set', 'constructor.prototype.polluted=1', '--url', url]);
    expect(bodies).toEqual([
      '{"name":"trigger","args":{"type":"customer.created","fields":{"constructor":{"prototype":{"polluted":1}}}}}',
    ]);
  });
});
