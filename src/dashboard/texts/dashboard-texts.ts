import type {
  BudgetFigures,
  ErrorKind,
  RemoteFigures,
  SnapshotFigures,
  TurnFigures,
} from '../../wire/admin-metrics.ts';
import type { RangeName } from '../ranges.ts';

/** What the dashboard says, in one language. A missing text does not compile. */
export interface DashboardTexts {
  readonly title: string;
  readonly range: string;
  readonly ranges: Readonly<Record<RangeName, string>>;
  /** A range of days that somebody chooses. */
  readonly customRange: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly showRange: string;
  readonly language: string;
  readonly loading: string;

  readonly signIn: string;
  readonly signInNeeded: string;
  /** There is no `auth.jwt`. */
  readonly signInImpossible: string;
  readonly tokenRefused: string;
  readonly roleMissing: (role: string) => string;
  /** Refused for another reason, which the server tells in English. */
  readonly refused: (detail: string) => string;
  readonly token: string;
  readonly tokenHint: string;
  readonly showFigures: string;
  readonly forgetToken: string;
  readonly unreachable: string;
  readonly stale: (time: string) => string;
  readonly notSaved: string;
  readonly asOf: (time: string) => string;

  readonly now: string;
  readonly runningTurns: string;
  readonly openQuestions: string;
  readonly oldest: (age: string) => string;
  readonly connections: string;
  readonly peak: (count: string) => string;
  readonly storage: string;
  readonly callback: (name: string) => string;
  readonly states: Readonly<Record<'ok' | 'degraded' | 'failed', string>>;

  readonly inRange: string;
  readonly compared: (change: string) => string;
  readonly notCompared: string;
  readonly turns: string;
  readonly cost: string;
  readonly noPrice: string;
  readonly tokensIn: string;
  readonly tokensOut: string;
  readonly fromCache: string;
  readonly cachedPrice: string;
  /** 95 % of turns take no longer. */
  readonly turnTime: string;
  readonly failedTurns: string;
  readonly guardrailBlocks: string;
  readonly searches: string;
  readonly searchesFound: (share: string) => string;

  /** Of the replies, by their users. */
  readonly ratings: string;
  readonly ratedGood: string;
  readonly ratedBad: string;
  readonly goodShare: string;
  readonly ofRatings: (count: string) => string;

  readonly byTheHour: string;
  readonly byFiveMinutes: string;
  readonly turnsByChannel: string;
  readonly latency: string;
  readonly tokens: string;
  readonly costByModel: string;
  readonly faultsByKind: string;
  /** Half of them take no longer. */
  readonly half: string;
  /** 95 % of them take no longer. */
  readonly most: string;
  readonly firstTextHalf: string;
  readonly firstTextMost: string;
  readonly kinds: Readonly<Record<ErrorKind, string>>;
  /** Stands before the names of what has nothing to show. */
  readonly nothing: string;
  readonly showNumbers: string;
  readonly time: string;
  /** What a picture shows: each line with its highest value. */
  readonly chartSummary: (chart: { readonly title: string; readonly from: string; readonly lines: string }) => string;

  readonly contents: string;
  /** While nothing was answered in the range. */
  readonly firstSteps: string;
  readonly trends: string;
  /** How the keyboard reaches the values of a chart. */
  readonly chartKeys: (title: string) => string;
  readonly groups: Readonly<
    Record<'turns' | 'models' | 'budgets' | 'actions' | 'connections' | 'faults' | 'documents', string>
  >;
  readonly mcpServer: (name: string) => string;
  readonly agent: (name: string) => string;
  readonly remoteStates: Readonly<Record<RemoteFigures['state'], string>>;
  readonly killSwitch: string;
  readonly switchOff: string;
  readonly switchOn: string;
  /** Only actions with certain names are refused. */
  readonly switchPartly: string;
  readonly switchedHere: string;
  readonly switchedByFile: string;
  readonly switchHint: string;
  readonly switchFailed: string;
  readonly turnOn: string;
  readonly turnOff: string;
  readonly askTurnOn: string;
  readonly askTurnOff: string;
  readonly cancel: string;
  readonly asCsv: (table: string) => string;
  readonly asJson: string;
  readonly models: string;
  readonly model: string;
  readonly requests: string;
  readonly calls: string;
  readonly failures: string;
  readonly actions: string;
  readonly action: string;
  readonly from: string;
  readonly changes: string;
  readonly yes: string;
  readonly no: string;
  readonly declined: string;
  readonly confirmations: string;
  readonly asked: string;
  readonly approved: string;
  readonly expired: string;
  readonly cancelled: string;
  readonly byRule: string;
  readonly answerTime: string;
  readonly confirmationsByAction: string;
  readonly channels: string;
  readonly channel: string;
  readonly mostConnections: string;
  readonly openNow: string;
  /** How long those that are open have been so. */
  readonly openFor: string;
  readonly opened: string;
  readonly cameBack: string;
  /** How long those lasted that have ended. */
  readonly lasted: string;
  readonly conversations: string;
  readonly conversationStates: Readonly<Record<SnapshotFigures['what'], string>>;
  readonly files: string;
  readonly reason: string;
  readonly faults: string;
  readonly modelFaults: string;
  readonly code: string;
  readonly kind: string;
  readonly count: string;
  readonly limited: string;
  readonly what: string;
  /** By what was too many. */
  readonly limits: Readonly<Record<string, string>>;
  readonly callbacks: string;
  readonly name: string;
  readonly state: string;
  readonly answered: string;
  readonly notAsked: string;
  /** Folders of documents. */
  readonly folders: string;
  readonly folder: string;
  readonly documents: string;
  /** Documents that cannot be read. */
  readonly leftOut: string;
  /** Files of kinds that are not read. */
  readonly passedOver: string;
  readonly documentsLeftOut: string;
  readonly file: string;
  /** Where the others are named. */
  readonly moreLeftOut: string;
  readonly slowest: string;
  readonly dearest: string;
  /** A turn, by its id. */
  readonly turn: string;
  readonly endedAt: string;
  readonly status: string;
  readonly duration: string;
  readonly turnStates: Readonly<Record<TurnFigures['status'], string>>;
  readonly ofLastDay: string;
  readonly budget: string;
  /** Who spends a budget together. */
  readonly spenders: Readonly<Record<BudgetFigures['per'], string>>;
  readonly withRole: (role: string) => string;
  readonly budgetLimit: string;
  readonly spent: string;
  readonly held: string;
  readonly windowEnds: string;
  readonly window: string;
  readonly usedUp: string;
  readonly usedUpStates: Readonly<Record<BudgetFigures['whenUsedUp'], string>>;
  readonly spentApart: string;
  /** There is no such number. */
  readonly unknown: string;

  readonly securityLog: string;
  readonly securityEvent: string;
  /** The user or the address that an event is about. */
  readonly who: string;
  readonly pause: string;
  readonly resume: string;
  readonly logFollows: string;
  readonly logPaused: string;
  readonly noSecurityEvents: string;
  /** Events of this kind that were counted without a line. */
  readonly moreEvents: (count: string) => string;

  readonly about: string;
  /** Whose figures these are, where they are not those of all. */
  readonly tenant: string;
  readonly version: string;
  readonly started: string;
  readonly upFor: string;
  readonly configuration: string;
  readonly saved: string;
  readonly notYet: string;
  readonly kept: string;
  readonly timeZone: string;
  readonly options: string;
  readonly noOptions: string;
  readonly warnings: string;
  readonly noWarnings: string;
}
