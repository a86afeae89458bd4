import { Conversation } from '../../../../src/widget/conversation/conversation.ts';
import type { ActionRun, ConversationState } from '../../../../src/widget/conversation/conversation-state.ts';
import { PageActions } from '../../../../src/widget/conversation/page-actions.ts';
import type { ConversationOptions } from '../../../../src/widget/conversation/conversation-options.ts';
import type { HubLink, HubListener } from '../../../../src/widget/transport/hub-port.ts';
import type { ApproveBody } from '../../../../src/wire/control-bodies.ts';
import type { RestoredSession } from '../../../../src/wire/session-bodies.ts';
import type { ConnectionHubEvents, TurnHubEvents } from '../../../../src/wire/hub-events.ts';

interface Call {
  readonly method: string;
  readonly values: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A conversation whose server is the test. */
export interface TestConversation {
  readonly conversation: Conversation;
  readonly listener: HubListener;
  readonly calls: Call[];
  readonly answers: ApproveBody[];
  readonly cancelled: string[];
  readonly returned: string[];
  /** The connections whose conversation was sealed. The sealed texts are `sealed 1`, `sealed 2` and so on. */
  readonly saved: string[];
  /** The snapshots that the widget has asked to restore. */
  readonly putBack: string[];
  /**
   * What the conversation has reported, in order: events that were news, `put back` for a restored conversation, and the leaving of its
   * user.
   */
  readonly told: string[];
  /** The actions that the page offers. There are none unless a test registers them. */
  readonly pageActions: PageActions;
  /** The reasons why the server refused offers of the page. */
  readonly refused: string[];
  /** How the next connect, approve, cancel and restore end, and the user of the next connection. */
  readonly server: {
    connect: Error | null;
    approve: 'approved' | 'gone' | Error;
    cancel: Error | null;
    restore: RestoredSession | Error | null;
    user: ConnectionHubEvents['Connected']['user'];
    /** The subject of the next connection's token. */
    subject: string;
    /** Whether the server delays the name of the next connection until `name` is called. */
    isSilent: boolean;
  };
  /** Sends an event of turn `t1` with the next number. */
  event<Name extends keyof TurnHubEvents>(name: Name, fields?: Partial<TurnHubEvents[Name]>, seq?: number): void;
  /** Breaks the connection. Waiting calls are rejected, as in the SignalR client. */
  drop(): void;
  restore(connectionId?: string): void;
  /** Makes the server name the open connection. */
  name(): void;
  /** Interrupts the line for longer than a moment. Calls wait for the line. */
  interrupt(): void;
  /** Continues the same connection after an interruption. */
  bridge(): void;
  settled(): Promise<void>;
  entries(): string[];
}

/** `settings` are those of the script beside its defaults. */
export function testConversation(settings: Partial<ConversationOptions['settings']> = {}): TestConversation {
  const calls: Call[] = [];
  const answers: TestConversation['answers'] = [];
  const cancelled: string[] = [];
  const returned: string[] = [];
  const saved: string[] = [];
  const putBack: string[] = [];
  const told: string[] = [];
  const pageActions = new PageActions();
  const refused: string[] = [];
  const server: TestConversation['server'] = {
    connect: null,
    approve: 'approved',
    cancel: null,
    restore: null,
    user: { isAuthenticated: false, name: '' },
    subject: '',
    isSilent: false,
  };
  let listener: HubListener | undefined;
  let isConnected = false;
  /** The calls that wait for a connection that is being restored. */
  let waiting: (() => void)[] | null = null;
  let seq = 0;
  const connected = (connectionId: string): ConnectionHubEvents['Connected'] => ({
    connectionId,
    conversationId: 'c1',
    user: server.user,
    settings: {
      language: 'English',
      maxMessageLength: 4000,
      enableImageInput: false,
      maxImageBytes: 0,
      maxImagesPerMessage: 0,
      allowedImageTypes: [],
      enableFileInput: false,
      maxFileBytes: 0,
      maxFilesPerMessage: 0,
      allowedFileTypes: [],
      hostedTools: [],
      demo: true,
      aiDisclosure: true,
      conversations: false,
      memory: false,
    },
  });
  const conversation = new Conversation({
    connect: (given) => {
      listener = given;
      const hub: HubLink = {
        get isConnected() {
          return isConnected;
        },
        async connect() {
          if (isConnected) return;
          if (waiting !== null) {
            await new Promise<void>((resolve) => waiting?.push(resolve));
            return;
          }
          given.onConnecting();
          if (server.connect !== null) throw server.connect;
          isConnected = true;
          if (!server.isSilent) given.onConnected(connected('k1'), server.subject);
        },
        invoke: (method, ...values) =>
          new Promise((resolve, reject) => calls.push({ method, values, resolve, reject })),
        checkUser: async () => undefined,
        stop: async () => undefined,
      };
      return hub;
    },
    control: {
      async approve(answer) {
        answers.push(answer);
        if (server.approve instanceof Error) throw server.approve;
        return server.approve === 'gone' ? 'gone' : answer.approved ? 'approved' : 'declined';
      },
      async cancel(connectionId) {
        cancelled.push(connectionId);
        if (server.cancel !== null) throw server.cancel;
      },
    },
    sessions: {
      async save(connectionId) {
        saved.push(connectionId);
        return `sealed ${String(saved.length)}`;
      },
      async restore(_connectionId, snapshot) {
        putBack.push(snapshot);
        if (server.restore instanceof Error) throw server.restore;
        return server.restore;
      },
    },
    page: () => ({ name: 'Orders' }),
    locale: () => 'de',
    actions: pageActions,
    settings: { demo: false, ...settings },
    listener: {
      onChange: (_state, event, isNews) => {
        if (event !== null && isNews) told.push(event.name);
      },
      onPutBack: () => told.push('put back'),
      onOtherUser: () => told.push('other user'),
      onReturned: ({ text }) => returned.push(text),
      onOfferRefused: (reason) => refused.push(reason),
    },
  });
  if (listener === undefined) throw new Error('the conversation did not ask for a hub');
  const heard = listener;
  return {
    conversation,
    listener: heard,
    calls,
    answers,
    cancelled,
    returned,
    saved,
    putBack,
    told,
    pageActions,
    refused,
    server,
    event(name, fields = {}, given) {
      if (name === 'TurnStarted') seq = 0;
      seq = given ?? seq + 1;
      // Tests give the fields that matter to them.
      heard.onTurnEvent({ name, fields: { turnId: 't1', seq, conversationId: 'c1', ...fields } } as never);
    },
    drop() {
      isConnected = false;
      waiting = [];
      for (const call of calls.splice(0)) call.reject(new Error('connection lost'));
      heard.onReconnecting();
    },
    restore(connectionId = 'k2') {
      isConnected = true;
      heard.onConnected(connected(connectionId), server.subject);
      heard.onReconnected();
      for (const resolve of waiting ?? []) resolve();
      waiting = null;
    },
    interrupt() {
      isConnected = false;
      waiting = [];
      heard.onReconnecting();
    },
    bridge() {
      isConnected = true;
      heard.onRestored();
      for (const resolve of waiting ?? []) resolve();
      waiting = null;
    },
    name: () => heard.onConnected(connected('k1'), server.subject),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    entries: () => conversation.state.entries.map(describeEntry),
  };
}

function describeRun({ status, progress, reason }: ActionRun): string {
  return `${status}${progress === '' ? '' : ` (${progress})`}${reason === '' ? '' : ` because: ${reason}`}`;
}

/** One entry as a short line. */
function describeEntry(entry: ConversationState['entries'][number]): string {
  switch (entry.kind) {
    case 'user':
      return `user: ${entry.text}`;
    case 'reply':
      return `reply: ${entry.text}${entry.isComplete ? '' : '…'}${entry.ending === 'none' ? '' : ` (${entry.ending})`}`;
    case 'action':
      return `action: ${entry.title} ${describeRun(entry)}`;
    case 'confirmation':
      return `confirmation: ${entry.request.actionId} ${entry.failure === null ? (entry.outcome ?? entry.answering ?? 'open') : 'failed'}${entry.run === null ? '' : `, ${describeRun(entry.run)}`}`;
    case 'card':
      return `card: ${entry.cardId}`;
    case 'sources':
      return `sources: ${entry.sources.map(({ title }) => title).join(', ')}`;
    case 'thought':
      return `thought: ${entry.text}`;
    case 'receipts':
      return `receipts: ${entry.receipts.map(({ title, status }) => `${title} ${status}`).join(', ')}`;
    case 'navigation':
      return `navigation: ${entry.url} ${entry.isHandled ? 'handled' : 'open'}`;
    case 'notice':
      return `notice: ${'message' in entry.notice ? entry.notice.message : entry.notice.type}${entry.retry === null ? '' : ' (retry)'}`;
  }
}
