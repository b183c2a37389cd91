/**
 * The connection breaks before the reply has come. It looks like the failure that `fetch` of Node gives, so that
 * code which runs in process meets what it would meet over a network.
 */
export class ConnectionDropped extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    super('fetch failed', { cause });
  }
}
