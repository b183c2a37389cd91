const connection = {
  ECONNRESET: { message: 'read ECONNRESET', syscall: 'read' },
  ECONNREFUSED: { message: 'connect ECONNREFUSED', syscall: 'connect' },
} as const;

/**
 * The connection broke before the reply. It has the shape of Node's `fetch` error, so that in-process code meets the
 * same error as over a network.
 */
export class ConnectionDropped extends TypeError {
  constructor(code: keyof typeof connection = 'ECONNRESET') {
    const { message, syscall } = connection[code];
    super('fetch failed', { cause: Object.assign(new Error(message), { code, syscall }) });
  }
}

/** Returns the error of a connection that breaks while the body is read, in the shape of Node's `fetch`. */
export function bodyTerminated(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}
