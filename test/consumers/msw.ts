import type { HttpHandler } from 'msw';
import { createSandbox } from 'payments-client-sandbox';
import { sandboxHandlers } from 'payments-client-sandbox/msw';

export const handlers: HttpHandler[] = sandboxHandlers(createSandbox(), 'https://payments.test');

// @ts-expect-error: the address that handlers answer for is missing
export const wrongHandlers = sandboxHandlers(createSandbox());
// @ts-expect-error: a handler is not text
export const wrongHandler: string = handlers[0];
