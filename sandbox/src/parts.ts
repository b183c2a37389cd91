import { FaultQueue } from './api/faults/fault-queue.ts';
import { type FaultControls, faultControls } from './api/faults/faults.ts';
import { RequestLog } from './api/request-log.ts';
import { Listening } from './api/server/listening.ts';
import { createApp } from './app.ts';
import { untilAborted } from './base/abort.ts';
import type { WebRequest, WebResponse } from './base/web-types.ts';
import { Snapshots } from './commands/snapshots.ts';
import { createState } from './commit.ts';
import { createControl, isForControl } from './control/control.ts';
import type { ControlContext } from './control/control-context.ts';
import { ObjectEditor } from './domain/object-editor.ts';
import type { State } from './domain/state.ts';
import { newKeys, type SandboxKeys } from './keys.ts';
import { readOptions, type SandboxOptions, type Settings } from './options.ts';
import { keepRunning, VirtualClock } from './store/clock.ts';
import { emptyContents, type Persistence, type StoreContents } from './store/contents.ts';
import { startOfIds } from './store/ids.ts';
import { type ActivityListener, watchActivity } from './stories/activity.ts';
import { StoryLog } from './stories/stories.ts';
import { CardReader } from './transact/card-reader.ts';
import { DeliverySender } from './webhooks/delivery-sender.ts';
import { forgetFunctions, registerAll } from './webhooks/endpoint.ts';
import { createWebhooks, type SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';

/** The initial state of a sandbox, and its persistence. */
export interface Origin {
  readonly contents?: StoreContents;
  /** The keys to use unless the options set them. Default: new ones. */
  readonly keys?: SandboxKeys;
  readonly persistence?: Persistence;
}

export class Parts implements ControlContext {
  readonly options: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** The keys that the options did not set, so that a fork has the same. */
  readonly generatedKeys: SandboxKeys;
  readonly secretKey: string;
  readonly securityKey: string;
  readonly state: State;
  readonly sender: DeliverySender;
  readonly log: RequestLog;
  readonly storyLog: StoryLog;
  readonly queue: FaultQueue;
  readonly faults: FaultControls;
  readonly webhooks: SandboxWebhooks;
  readonly editor: ObjectEditor;
  readonly cards: CardReader;
  readonly snapshots = new Snapshots();
  readonly isClockRunning: boolean;
  readonly listening: Listening;
  readonly fetch: (request: WebRequest) => Promise<WebResponse>;
  readonly serve: ControlContext['serve'];
  readonly secondApp: ControlContext['secondApp'];

  readonly #options: SandboxOptions;
  readonly #persistence: Persistence | undefined;
  readonly #stopClock: () => void;
  /** A page in a browser must not hold the secret key, which may be a key of the real service. */
  readonly #dashboardKey = crypto.randomUUID();

  constructor(options: SandboxOptions, { contents, keys = newKeys(), persistence }: Origin) {
    const settings = readOptions(options, keys);
    this.#options = options;
    this.#persistence = persistence;
    this.options = { ...options };
    this.generatedKeys = keys;
    this.settings = settings;
    this.secretKey = settings.secretKey;
    this.securityKey = settings.securityKey;
    this.isClockRunning = settings.clock === 'running';
    const clock = new VirtualClock(settings.startsAt);
    const { webhookTimeout: timeout, signedAt } = settings;
    this.sender = new DeliverySender({ timeout, signedAt, clock });
    this.state = createState(clock, settings, this.sender);
    this.log = new RequestLog(() => clock.now());
    this.storyLog = new StoryLog(this.state, this.log, persistence);
    const newQueue = () => new FaultQueue({ ...settings, settled: () => this.state.scheduler.settled() });
    this.queue = newQueue();
    this.faults = faultControls(this.queue, this.state);
    this.webhooks = createWebhooks(this.state, this.sender);
    this.editor = new ObjectEditor(this.state);
    this.cards = new CardReader(settings.securityKey);
    const { state, log } = this;
    const appWith = (faults: FaultQueue) =>
      createApp({ state, settings, faults, log, dashboardKey: this.#dashboardKey });
    const app = appWith(this.queue);
    this.serve = (request) => app.fetch(request, { source: 'dashboard' });
    this.secondApp = () => {
      const queue = newQueue();
      const second = appWith(queue);
      return { serve: (request) => second.fetch(request), faults: faultControls(queue, state) };
    };
    const control = createControl(this);
    const answer = async (request: Request) =>
      isForControl(request) ? control(request) : app.fetch(request);
    this.listening = new Listening(answer);
    this.fetch = (request) => untilAborted(() => answer(request), request.signal);
    this.#start(contents, persistence);
    this.#stopClock = this.#startClock(options.startsAt === undefined);
  }

  /** A network address would let anyone open the dashboard and read its key. */
  readonly keys = (): readonly string[] => [
    this.secretKey,
    ...(this.listening.isRemote ? [] : [this.#dashboardKey]),
  ];

  readonly watch = (listener: ActivityListener): (() => void) =>
    watchActivity(this.state, this.log, listener);

  readonly contents = (): StoreContents => ({
    ...this.state.contents(),
    entries: this.storyLog.contents(),
  });

  readonly load = (contents: StoreContents): void => {
    this.#read(contents);
    this.#persistence?.rewrite(this.contents());
  };

  readonly reset = (): void => {
    this.faults.clear();
    this.log.clear();
    this.load(emptyContents(this.settings.startsAt));
    this.#begin();
  };

  async close(): Promise<void> {
    this.#stopClock();
    this.sender.interrupt();
    // Before faults release replies, which nobody would receive any more.
    await this.listening.stop();
    this.faults.clear();
    if (this.#persistence === undefined) return;
    // Released requests are executed and saved.
    await new Promise((resolve) => setTimeout(resolve));
    // Interrupted attempts are saved as such; no new ones start.
    this.state.scheduler.restart([]);
    await this.state.scheduler.settled();
    this.#persistence.close();
  }

  #start(contents: StoreContents | undefined, persistence: Persistence | undefined): void {
    if (persistence !== undefined) this.#open(persistence);
    else if (contents === undefined) this.#begin();
    else this.#read(contents);
  }

  /** Continues from a data file, or begins a new one. */
  #open(persistence: Persistence): void {
    const saved = persistence.read();
    if (saved === undefined) persistence.rewrite(this.contents());
    else this.#read(saved);
    this.state.keepIn(persistence, this.isClockRunning);
    forgetFunctions(this.state);
    if (saved === undefined) this.#begin();
    else this.#registerEndpoints();
  }

  #read(contents: StoreContents): void {
    this.state.load(contents);
    this.storyLog.load(contents.entries);
  }

  /** Registers the endpoints of the options, and starts the ids of everything else. */
  #begin(): void {
    this.#registerEndpoints();
    // Only now, so that the ids of endpoints stay. Other ids are new: a receiver ignores an event that it has handled.
    this.state.ids.resume(startOfIds(this.#options.seed));
  }

  #registerEndpoints(): void {
    registerAll(this.state, this.sender, this.#options.webhooks ?? [], this.settings.webhookSecret);
  }

  /** @param catchesUp Whether the clock catches up with real time from its saved time. */
  #startClock(catchesUp: boolean): () => void {
    if (!this.isClockRunning) return () => {};
    const { clock, scheduler } = this.state;
    // Ticks are not recorded: they are not actions of a user.
    const ticking = { now: () => clock.now(), advance: (ms: number) => scheduler.advance(ms) };
    return keepRunning(ticking, catchesUp);
  }
}
