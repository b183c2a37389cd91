/** Parses the names of the browser scripts. */

import { captured, codesIn, sectionOf } from './markdown.ts';

const namesIn = (list: string) => list.split(',').map((name) => name.trim());

export function readBrowser(page: string) {
  const section = sectionOf(page, '1. What the service does');
  const configure = captured(section, /`configure\(\{(amount[^`]*)\}\)`/);
  const [billing = ''] = /\{([^}]*)\}/.exec(configure)?.slice(1) ?? [];
  return {
    gateway: {
      global: captured(section, /Its global `(\w+)`/),
      create: namesIn(captured(section, /`create\(\{([^}]*)\}\)`/)),
      risk: {
        getter: captured(section, /`(getRisk)\(\)`/),
        method: captured(section, /`(\w+)\(callback\(sessionId\)\)`/),
      },
      threeDSecure: {
        getter: captured(section, /`(get3DSecure)\(\)`/),
        configure: namesIn(configure.replace(/:\{[^}]*\}/, '')),
        billingAddress: namesIn(billing),
        method: captured(section, /`(\w+)\(token, callback\(result\)\)`/),
        result: codesIn(captured(section, /The result has ([^.]*)\./)),
      },
    },
    cardFields: {
      global: captured(section, /collection script \(global `(\w+)`\)/),
      configure: namesIn(captured(section, /takes `configure\(\{(\w+)\(token\)\}\)`/)),
    },
  };
}
