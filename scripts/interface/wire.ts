/** Parses the request format of the interface: ids, endpoints, idempotency, pages, limits and credentials. */

import { captured, cell, codesIn, lineWith, sectionOf, tableOf } from './markdown.ts';

const prefixesOf = (page: string) =>
  [...lineWith(page, 'Identifiers are strings with a type prefix').matchAll(/`(\w+_)` ([\w ]+)/g)].map(
    ([, prefix = '', kind = '']) => ({ kind: kind.replaceAll(' ', '_'), prefix }),
  );

const endpointsOf = (section: string) =>
  tableOf(section, 'Method').map((row) => {
    const [path = ''] = codesIn(cell(row, 'Path'));
    const [, emits] = /Emits `([^`]+)`/.exec(cell(row, 'Payload')) ?? [];
    return { method: cell(row, 'Method'), path, ...(emits !== undefined && { emits }) };
  });

/** Returns the request that creates a session: "`mode` (string), `line_items` (array of `{name: string, …}`)". */
function sessionRequestOf(section: string) {
  const payload = lineWith(section, '| `/v1/checkout/sessions` |');
  const [line = ''] = codesIn(payload).filter((code) => code.startsWith('{'));
  const outer = [...payload.matchAll(/`(\w+)` \((string|array)/g)];
  const inner = [...line.matchAll(/(\w+): (?:lower-case )?(\w+)/g)];
  return {
    fields: outer.map(([, name, type]) => ({ name, type })),
    lineItem: inner.map(([, name, type]) => ({ name, type })),
  };
}

const errorsOf = (page: string) =>
  tableOf(sectionOf(page, '7. Errors'), 'HTTP status').map((row) => ({
    status: Number(cell(row, 'HTTP status')),
    code: codesIn(cell(row, 'Code'))[0],
  }));

function limitsOf(page: string) {
  const section = sectionOf(page, '8. Limits');
  const limit = lineWith(section, '| `limit` |');
  return {
    keyLength: Number(captured(lineWith(section, '`Idempotency-Key` length'), /at most (\d+)/)),
    limit: {
      default: Number(captured(limit, /default (\d+)/)),
      maximum: Number(captured(limit, /maximum (\d+)/)),
    },
  };
}

export function readWire(page: string) {
  const endpoints = sectionOf(page, '4. Endpoints');
  const authentication = sectionOf(page, '5. Authentication');
  const pages = sectionOf(endpoints, 'Pagination (list endpoints)');
  const [replayed = ''] = codesIn(captured(endpoints, /with response header (`[^`]+`)/));
  const [header = ''] = replayed.split(': ');
  return {
    idPrefixes: prefixesOf(page),
    endpoints: endpointsOf(endpoints),
    sessionRequest: sessionRequestOf(endpoints),
    idempotency: {
      requestHeader: captured(endpoints, /Request header `([^`]+)`/),
      replayedHeader: { name: header, value: replayed.slice(header.length + 2) },
      errors: errorsOf(page),
    },
    page: {
      fields: codesIn(captured(pages, /(`has_more` \(boolean\).*?`next_cursor`)/)).filter(
        (name, index, all) => all.indexOf(name) === index,
      ),
      parameters: ['limit', 'offset', 'starting_after'].filter((name) => pages.includes(`\`${name}\``)),
    },
    limits: limitsOf(page),
    credentials: {
      secretKey: captured(authentication, /keys start with `([^`]+)`/),
      form: captured(authentication, /Form parameter `(\w+)`/),
    },
  };
}
