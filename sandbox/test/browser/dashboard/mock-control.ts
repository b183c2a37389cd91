import type { Page } from 'playwright-core';

/** Responses of the control API by method and path, such as `GET state`; a path may end in `*`. */
export type Answers = Readonly<Record<string, unknown>>;

/** The state of a sandbox without problems, for the header. */
export const calmState = {
  clock: { now: Date.UTC(2026, 0, 1, 0, 10), time: '2026-01-01T00:10:00.000Z', running: false },
  objects: {},
  pending_deliveries: 0,
  failing_deliveries: 0,
  armed_faults: 0,
  due: [],
  books: { balanced: true, problem: null },
};

function answerTo(answers: Answers, call: string): unknown {
  const name = Object.keys(answers).find((one) =>
    one.endsWith('*') ? call.startsWith(one.slice(0, -1)) : one === call,
  );
  return name === undefined ? undefined : answers[name];
}

/** Mocks some calls of the control API. Returns the mocked calls with their bodies. */
export async function mockControl(
  page: Page,
  answers: Answers,
): Promise<{ call: string; query: string; body: unknown }[]> {
  const calls: { call: string; query: string; body: unknown }[] = [];
  await page.route('**/_sandbox/**', async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const call = `${request.method()} ${pathname.slice('/_sandbox/'.length)}`;
    const answer = answerTo(answers, call);
    if (answer === undefined) return route.fallback();
    calls.push({ call, query: search, body: request.postDataJSON() });
    const value = typeof answer === 'function' ? await answer(new URLSearchParams(search)) : answer;
    if (typeof value === 'string') return route.fulfill({ contentType: 'text/plain', body: value });
    return route.fulfill({ json: value });
  });
  return calls;
}
