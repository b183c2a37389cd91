const connection = {
  ECONNRESET: { message: 'read ECONNRESET', syscall: 'read' },
  ECONNREFUSED: { message: 'connect ECONNREFUSED', syscall: 'connect' },
} as const;

/**
 * The connection breaks before the reply has come. It looks like the failure that `fetch` of Node gives, so that
 * code which runs in process meets what it would meet over a network.
 */
export class ConnectionDropped extends TypeError {
  constructor(code: keyof typeof connection = 'ECONNRESET') {
    const { message, syscall } = connection[code];
    super('fetch failed', { cause: Object.assign(new Error(message), { code, syscall }) });
  }
}

/** The connection ends while the body is read, as `fetch` of Node tells it. */
export function bodyTerminated(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}
