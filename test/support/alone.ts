/** Tests that change what a whole process shares: its modules, its environment, or how it reaches the network. */
export const alone = [
  'test/base/runtime/runtime.test.ts',
  // It makes the process look like Deno, which the SDK asks once.
  'test/http/transport/fetch.test.ts',
  'test/http/transport/pool.test.ts',
  'test/http/transport/every-transport.test.ts',
  // It loads the package anew, with a proxy in the environment.
  'test/http/transport/node/proxy.test.ts',
  'test/http/transport/node/replaced-fetch.test.ts',
  'test/bytes/command-line.test.ts',
  'test/hostile-process.test.ts',
  // It replaces functions of `node:http`.
  'test/opentelemetry/instrumentation-http.test.ts',
  'sandbox/test/store/sqlite-file/disk.test.ts',
  'sandbox/test/msw.test.ts',
  // The adapter of Hono for Node has its own `Request` and `Response`, for the whole process.
  'test/webhooks/receiver/{hono,misuse}.test.ts',
  'test/webhooks/receiver/without-on-error.test.ts',
];
