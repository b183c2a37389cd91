import type { Activity } from '../../control/activity.ts';
import { Clock } from './clock-view.ts';
import { el } from './element.ts';
import { EventDetail } from './event-detail.ts';
import { EventLog } from './event-log.ts';
import { FaultsView } from './faults-view.ts';
import { heading } from './format.ts';
import { FraudView } from './fraud.ts';
import { Kinds } from './kinds.ts';
import { ObjectDetail } from './object-detail.ts';
import { ObjectList } from './object-list.ts';
import { Paths } from './paths.ts';
import { RequestsView } from './requests.ts';
import { fail, forgive, problem } from './show-problem.ts';
import { listen } from './stream.ts';
import { ToolsView } from './tools.ts';
import { oncePerFrame, type View } from './view.ts';

const main = document.querySelector('main') ?? document.body;
const { operations = '', types = '', publicKey = '' } = main.dataset;
const listOf = (text: string) => text.split(' ').filter(Boolean);

const clock = new Clock();

function objectsAt([kind, id, after]: readonly string[]): View {
  if (kind === undefined) return new Kinds();
  if (id === undefined) return new ObjectList(kind, undefined);
  return id === 'after' && after !== undefined ? new ObjectList(kind, after) : new ObjectDetail(kind, id);
}

const views: Readonly<Record<string, View>> = {
  requests: new RequestsView(),
  events: new Paths('Events', ([id]) => (id === undefined ? new EventLog() : new EventDetail(id))),
  objects: new Paths('Objects', objectsAt),
  faults: new FaultsView(listOf(operations)),
  fraud: new FraudView(clock.now),
  tools: new ToolsView({ types: listOf(types), publicKey }),
};

const links = Object.keys(views).map((name) => el('a', { href: `#/${name}` }, heading(name)));
const connection = el('span', { className: 'badge plain', role: 'status' }, 'connecting');
const place = el('div', { className: 'view', tabIndex: -1 });

/** What the address says: a section, and what it is to show. */
function route(): { readonly name: string; readonly path: readonly string[] } {
  const [name = '', ...path] = location.hash.replace(/^#\//, '').split('/');
  return Object.hasOwn(views, name) ? { name, path } : { name: 'requests', path: [] };
}

let shown: View | undefined;
/** What happens while a section is loaded; whether it is in what was loaded, the section finds out. */
let heard: Activity[] | undefined;

async function show(): Promise<void> {
  const { name, path } = route();
  const view = views[name];
  if (view === undefined) return;
  const meanwhile: Activity[] = [];
  shown = view;
  heard = meanwhile;
  forgive();
  document.title = `${heading(name)} – Sandbox`;
  for (const link of links) {
    if (link.hash === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (place.firstChild !== view.element) place.replaceChildren(view.element);
  await view.show(path).catch(fail);
  // Something else was chosen, or the same anew.
  if (heard !== meanwhile) return;
  heard = undefined;
  for (const activity of meanwhile) view.hear(activity);
}

/** Where a link was followed that is no longer there, the keyboard goes on from what it led to. */
async function follow(): Promise<void> {
  scrollTo(0, 0);
  await show();
  if (document.activeElement === document.body) place.focus();
}

function connect(text: string, mood: 'good' | 'bad'): void {
  connection.textContent = text;
  connection.className = `badge ${mood}`;
}

let latest = 0;
const showTime = oncePerFrame(() => clock.set(latest));

main.append(
  el(
    'header',
    {},
    el('h1', {}, 'Sandbox'),
    el('span', { className: 'soft' }, 'No money moves.'),
    connection,
    clock.element,
  ),
  el('nav', { ariaLabel: 'Sections' }, ...links),
  problem,
  place,
);
addEventListener('hashchange', () => void follow());
// A running clock moves on although nothing happens. While there is no connection, that is said elsewhere.
setInterval(() => void clock.load().catch(() => {}), 1_000);
void listen({
  hear: (activity) => {
    latest = activity.at;
    showTime();
    if (heard === undefined) shown?.hear(activity);
    else heard.push(activity);
  },
  connected: () => {
    connect('live', 'good');
    clock.load().catch(fail);
    void show();
  },
  disconnected: () => connect('disconnected; trying again', 'bad'),
});
