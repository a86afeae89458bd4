import { errorKinds } from './admin-metrics.ts';

const count = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const timeOrNone = { type: ['string', 'null'], format: 'date-time' } as const;
const amountOrNone = { type: ['number', 'null'] } as const;

type Members = Readonly<Record<string, object>>;

/** The schema of an object that must have all of these members. */
function whole<const Given extends Members>(properties: Given) {
  return { type: 'object', required: Object.keys(properties), properties } as const;
}

function listOf<const Given extends Members>(properties: Given) {
  return { type: 'array', items: whole(properties) } as const;
}

const totals = {
  turns: count,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  cost: amountOrNone,
  guardrailBlocks: count,
  rateLimited: count,
  errors: count,
  goodRatings: count,
  badRatings: count,
} as const;

const hour = {
  at: time,
  ...totals,
  channels: { type: 'object', additionalProperties: count },
  costs: { type: 'object', additionalProperties: { type: 'number' } },
  kinds: whole(Object.fromEntries(errorKinds.map((kind) => [kind, count]))),
  latency: whole({
    p50: amountOrNone,
    p95: amountOrNone,
    firstTokenP50: amountOrNone,
    firstTokenP95: amountOrNone,
  }),
} as const;

const confirmations = {
  asked: count,
  approved: count,
  declined: count,
  expired: count,
  cancelled: count,
  byRule: count,
  medianMs: amountOrNone,
} as const;

const remote = { name: text, state: { enum: ['connecting', 'connected', 'failed', 'disabled'] } };

/** `KillSwitchFigures` as a JSON Schema. */
export const killSwitchSchema = whole({
  writes: { type: 'boolean' },
  tools: { type: 'array', items: text },
  isSetHere: { type: 'boolean' },
  canSet: { type: 'boolean' },
});

const live = whole({
  connections: count,
  channels: listOf({ channel: text, connections: count, averageAgeMs: count }),
  turns: count,
  questions: whole({ count, oldestAt: timeOrNone }),
  storage: whole({ type: text, state: { enum: ['ok', 'failed'] }, savedAt: timeOrNone, retentionMs: count }),
  callbacks: listOf({ callback: text, state: { enum: ['ok', 'degraded', 'failed'] } }),
  folders: listOf({
    source: text,
    documents: count,
    leftOut: count,
    passedOver: count,
    files: listOf({ file: text, reason: text }),
  }),
  mcpServers: listOf(remote),
  agents: listOf(remote),
  killSwitch: killSwitchSchema,
  budgets: listOf({
    per: { enum: ['user', 'role', 'conversation', 'day'] },
    role: { type: ['string', 'null'] },
    unit: { enum: ['tokens', 'cost'] },
    limit: { type: 'number' },
    windowMs: count,
    whenUsedUp: { enum: ['refuse', 'downgrade'] },
    spent: amountOrNone,
    held: amountOrNone,
    resetsAt: timeOrNone,
  }),
});

const turn = {
  turnId: text,
  at: time,
  channel: text,
  status: { enum: ['completed', 'stopped', 'refused', 'failed'] },
  durationMs: count,
  model: text,
  inputTokens: count,
  outputTokens: count,
  cost: amountOrNone,
} as const;

/** `AdminMetrics` as a JSON Schema. */
export const adminMetricsSchema = whole({
  from: time,
  to: time,
  stepMs: count,
  totals: whole(totals),
  hourly: listOf(hour),
  models: listOf({
    model: text,
    calls: count,
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count,
    cost: amountOrNone,
    errors: count,
    p95: amountOrNone,
  }),
  actions: listOf({
    action: text,
    calls: count,
    failures: count,
    declined: count,
    p95: amountOrNone,
    readOnly: { type: ['boolean', 'null'] },
    from: { type: ['string', 'null'] },
  }),
  channels: listOf({ channel: text, turns: count }),
  confirmations: whole(confirmations),
  actionConfirmations: listOf({ action: text, ...confirmations }),
  latency: whole({ p50: amountOrNone, p95: amountOrNone, p99: amountOrNone, firstTokenMs: amountOrNone }),
  rag: whole({ searches: count, hitRate: amountOrNone }),
  faults: listOf({ kind: { enum: errorKinds }, code: text, count }),
  modelFaults: listOf({
    model: text,
    provider: text,
    error: text,
    status: amountOrNone,
    code: { type: ['string', 'null'] },
    count,
  }),
  limited: listOf({ what: text, count }),
  callbacks: listOf({ callback: text, answered: count, failed: count, paused: count }),
  peaks: listOf({ channel: text, connections: count }),
  connections: listOf({ channel: text, peak: count, opened: count, returned: count, averageMs: amountOrNone }),
  snapshots: listOf({ what: { enum: ['saved', 'restored', 'refused'] }, reason: { type: ['string', 'null'] }, count }),
  files: listOf({ reason: text, count }),
  slowest: listOf(turn),
  dearest: listOf(turn),
  live,
  server: whole({
    version: text,
    currency: { type: ['string', 'null'] },
    startedAt: time,
    configuration: text,
    options: { type: 'array', items: text },
    warnings: listOf({ code: text, message: text }),
    hasSecurityLog: { type: 'boolean' },
  }),
  tenant: { type: ['string', 'null'] },
});
