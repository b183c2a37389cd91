import type { Command } from '../command.ts';
import { defaultPort } from '../control-client.ts';

/** `sandbox`: runs a sandbox until it is interrupted. */
export const sandbox: Command = {
  name: 'sandbox',
  summary: 'Runs a sandbox on this machine, and shows requests, events and deliveries as they happen.',
  operands: [],
  required: 0,
  options: {
    port: { value: '<port>', help: `The port; 0 takes a free one. Default: ${defaultPort}.` },
    host: { value: '<host>', help: 'The loopback host: 127.0.0.1, ::1 or localhost. Default: 127.0.0.1.' },
    'forward-to': {
      value: '<address>',
      multiple: true,
      help: 'Delivers all events there, signed with a secret that is printed.',
    },
    'allow-remote-webhooks': {
      help: 'Endpoints that are registered over HTTP may be on other machines. Those of --forward-to always may.',
    },
    data: {
      value: '<file>',
      help: 'Keeps everything in this file, and the keys beside it. Default: nothing is kept.',
    },
    seed: {
      value: '<text>',
      help: 'Chooses which requests meet faults that strike by chance. Default: always the same.',
    },
    'secret-key': {
      value: '<key>',
      help: 'The secret key to ask for. Default: PAYMENTS_SECRET_KEY where it is a test key, else a new one, which is printed.',
    },
    'security-key': {
      value: '<key>',
      help: 'The key that the form endpoint asks for. Default: a new one, which is printed.',
    },
    'public-key': {
      value: '<key>',
      help: 'The key that browser scripts are given. Default: a new one, which is printed.',
    },
    json: { help: 'Lines of JSON, also on a terminal. Without a terminal they always are.' },
  },
  examples: [
    'payments-client sandbox',
    'payments-client sandbox --forward-to http://localhost:3000/webhooks --data sandbox.jsonl',
  ],
  notes:
    'The clock runs with real time, so that deliveries are repeated, sessions expire and invoices are collected. ' +
    'Ctrl+C ends it. NO_COLOR and FORCE_COLOR are respected; FORCE_COLOR gives lines for people without a terminal too.',
  async run(given, console) {
    // All of the sandbox is loaded only where it is run, so that the other commands answer at once.
    const { serve } = await import('../serve.ts');
    await serve(given, console);
  },
};
