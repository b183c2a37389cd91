import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SandboxStatus } from '../control/state-routes.ts';
import { Activity } from './activity.tsx';
import { Endpoints } from './endpoints.tsx';
import { Faults } from './faults.tsx';
import { Home } from './home.tsx';
import { connection } from './kit/connection.ts';
import { Button, Copy } from './kit/controls.tsx';
import { Empty, Page } from './kit/page.tsx';
import { type SectionProps, useRoute } from './kit/route.ts';
import { restorePlace } from './kit/scroll.ts';
import { clearProblem, notice, problem, sandboxState, useStore } from './kit/shared-value.ts';
import { useLoad } from './kit/use-load.ts';
import { Badge } from './kit/values.tsx';
import { Objects } from './objects.tsx';
import { SearchButton } from './search.tsx';
import { StorySection } from './story.tsx';
import { Clock, Strip } from './strip.tsx';
import { Tools } from './tools.tsx';

/** A part of the dashboard. */
interface Section {
  /** The first part of its address: `activity` is `#/activity`. The home page has none. */
  readonly name: string;
  readonly title: string;
  /** The section that the navigation highlights instead. The navigation does not list this one. */
  readonly under?: string;
  readonly Show: ComponentType<SectionProps>;
}

/** All sections, in the order of the navigation. */
const sections: readonly Section[] = [
  { name: '', title: 'Operations', Show: Home },
  { name: 'stories', title: 'Operation', under: '', Show: StorySection },
  { name: 'activity', title: 'Activity', Show: Activity },
  { name: 'objects', title: 'Objects', Show: Objects },
  { name: 'endpoints', title: 'Endpoints', Show: Endpoints },
  { name: 'faults', title: 'Faults', Show: Faults },
  { name: 'tools', title: 'Tools', Show: Tools },
];

/** Links to all sections. */
function Navigation({ current, isOpen }: { readonly current: string; readonly isOpen: boolean }) {
  return (
    <nav class="sections" aria-label="Sections" data-open={isOpen}>
      <ul>
        {sections
          .filter(({ under }) => under === undefined)
          .map(({ name, title }) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** Shows the error of the last action, until another action starts. */
function ProblemLine() {
  const text = useStore(problem);
  if (text === undefined) return null;
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      <Button act={clearProblem} variant="quiet">
        Dismiss
      </Button>
    </div>
  );
}

/** Shows the result of the last action. The live region always exists, so that screen readers announce new messages. */
function NoticeBar() {
  const shown = useStore(notice);
  return (
    <div class="notices" role="status" aria-label="Messages">
      {shown !== undefined && (
        <div class="notice">
          <p>{shown.text}</p>
          <div class="actions">
            {shown.links.map(({ href, text }) => (
              <a key={href} href={href} target={href.startsWith('#') ? undefined : '_blank'} rel="noreferrer">
                {text}
              </a>
            ))}
            {shown.secret !== undefined && (
              <Copy text={shown.secret} label="Copy the secret">
                Copy the secret
              </Copy>
            )}
            <Button act={() => notice.set(undefined)} variant="quiet">
              Dismiss
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const texts = { connecting: 'connecting', live: 'connected', lost: 'disconnected; reconnecting' } as const;
const tones = { connecting: 'plain', live: 'good', lost: 'bad' } as const;

function Connection() {
  const status = useStore(connection);
  return (
    <span role="status" aria-label="Connection">
      <Badge tone={tones[status]}>{texts[status]}</Badge>
    </span>
  );
}

/** Loads the status that all pages show, and reloads it each second, since time passes without activity. */
function useSandboxState(): SandboxStatus | undefined {
  const { data } = useLoad<SandboxStatus>('state', 1_000);
  useEffect(() => sandboxState.set(data), [data]);
  return data;
}

/** Measures the sticky header, so that it covers no table heads or focused elements. */
function useHeaderHeight() {
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = header;
    if (current === null) return;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--top', `${current.offsetHeight}px`),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return header;
}

/** Keeps the keyboard in the main region after navigation. */
function useFocusOn(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    clearProblem();
    restorePlace(main.current);
  }, [place]);
  return main;
}

function OpenSection({ path, query }: ReturnType<typeof useRoute>) {
  const [name = '', ...rest] = path;
  const section = sections.find((one) => one.name === name);
  if (section === undefined) {
    return (
      <Page title="Not found">
        <Empty title="This page does not exist.">
          <p>
            <a href="#/">Show all operations</a>
          </p>
        </Empty>
      </Page>
    );
  }
  return <section.Show path={rest} query={query} />;
}

/** The frame around each section: header, status strip and navigation. */
export function Shell() {
  const route = useRoute();
  const state = useSandboxState();
  const place = route.path.join('/');
  const header = useHeaderHeight();
  const main = useFocusOn(place);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEffect(() => setMenuOpen(false), [place]);
  const [name = ''] = route.path;
  const current = sections.find((section) => section.name === name)?.under ?? name;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header ref={header}>
        <div class="bar">
          <button
            type="button"
            class="button quiet phone-only"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            Menu
          </button>
          <h1>
            <a href="#/">Sandbox</a>
          </h1>
          <span class="soft wide">No money moves.</span>
          <Connection />
          <SearchButton />
          {state !== undefined && <Clock clock={state.clock} />}
        </div>
        {state !== undefined && <Strip state={state} />}
      </header>
      <div class="body">
        <Navigation current={current} isOpen={isMenuOpen} />
        <main ref={main} tabIndex={-1}>
          <ProblemLine />
          <OpenSection {...route} />
        </main>
      </div>
      <NoticeBar />
    </>
  );
}
