import { Clock } from './clock.ts';
import { el } from './el.ts';
import { EventsView } from './events.ts';
import { FaultsView } from './faults.ts';
import { FraudView } from './fraud.ts';
import { ObjectsView } from './objects.ts';
import { fail, forgive, problem } from './problem.ts';
import { RequestsView } from './requests.ts';
import { follow } from './stream.ts';
import { ToolsView } from './tools.ts';
import { oncePerFrame, type View } from './view.ts';

const main = document.querySelector('main') ?? document.body;
const { operations = '', types = '', publicKey = '' } = main.dataset;
const listOf = (text: string) => text.split(' ').filter(Boolean);

const clock = new Clock();

const views: Readonly<Record<string, View>> = {
  requests: new RequestsView(),
  events: new EventsView(),
  objects: new ObjectsView(),
  faults: new FaultsView(listOf(operations)),
  fraud: new FraudView(clock.now),
  tools: new ToolsView({ types: listOf(types), publicKey }),
};

const links = Object.keys(views).map((name) =>
  el('a', { href: `#/${name}` }, `${name[0]?.toUpperCase()}${name.slice(1)}`),
);
const connection = el('span', { className: 'badge plain', role: 'status' }, 'connecting');
const place = el('div', { className: 'view' });

/** What the address says: a section, and what it is to show. */
function route(): { readonly name: string; readonly path: readonly string[] } {
  const [name = '', ...path] = location.hash.replace(/^#\//, '').split('/');
  return Object.hasOwn(views, name) ? { name, path } : { name: 'requests', path: [] };
}

let shown: View | undefined;

async function show(): Promise<void> {
  const { name, path } = route();
  shown = views[name];
  forgive();
  for (const link of links) {
    if (link.hash === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (shown === undefined) return;
  place.replaceChildren(shown.element);
  await shown.show(path).catch(fail);
}

function connect(text: string, mood: 'good' | 'bad'): void {
  connection.textContent = text;
  connection.className = `badge ${mood}`;
}

let latest = 0;
const showTime = oncePerFrame(() => clock.set(latest));

main.append(
  el('header', {}, el('h1', {}, 'Sandbox'), connection, clock.element),
  el('nav', { ariaLabel: 'Sections' }, ...links),
  problem,
  place,
);
addEventListener('hashchange', () => void show());
// A running clock moves on although nothing happens. While there is no connection, that is said elsewhere.
setInterval(() => void clock.load().catch(() => {}), 5_000);
void follow({
  hear: (activity) => {
    latest = activity.at;
    showTime();
    shown?.hear(activity);
  },
  connected: () => {
    connect('live', 'good');
    clock.load().catch(fail);
    void show();
  },
  disconnected: () => connect('disconnected; trying again', 'bad'),
});
