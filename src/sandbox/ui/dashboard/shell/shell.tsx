import { useEffect, useRef, useState } from 'preact/hooks';
import type { SandboxStatus } from '../../../control/state-routes.ts';
import { connection } from '../kit/connection.ts';
import { clearProblem } from '../kit/notices.ts';
import { Empty, Page } from '../kit/page.tsx';
import { useRoute } from '../kit/route.ts';
import { sandboxState } from '../kit/sandbox-state.ts';
import { useStore } from '../kit/shared-value.ts';
import { useLoad } from '../kit/use-load.ts';
import { Badge } from '../kit/values.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { sections } from '../sections.ts';
import { Clock } from './clock.tsx';
import { Navigation } from './navigation.tsx';
import { NoticeBar, ProblemLine } from './notice-bar.tsx';
import { Strip } from './strip.tsx';

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

/** Focuses the main region after navigation, so that the keyboard continues there. */
function useFocusOn(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    clearProblem();
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  return main;
}

function Section({ path, query }: ReturnType<typeof useRoute>) {
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
          <Section {...route} />
        </main>
      </div>
      <NoticeBar />
    </>
  );
}
