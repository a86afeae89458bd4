import type { ReplyPlan } from './reply-plan.ts';

/** One kind of load (the names stand in the table and in budget.json). */
export type WorkloadName =
  'burst' | 'paced' | 'turn' | 'tool' | 'firstToken' | 'capacity' | 'busy' | 'traced' | 'specialist' | 'team';

/** What is asked of the fake model, by how many users, how often. */
export interface Workload {
  readonly name: WorkloadName;
  readonly title: string;
  readonly plan: ReplyPlan;
  readonly concurrency: number;
  /** Replies per target and round. */
  readonly replies: number;
  /** Replies before anything is measured. */
  readonly warmUp: number;
  /** Replies of one chunk before those, so that long turns meet a server whose turns are as warm as its tokens. */
  readonly shortWarmUp?: number;
  readonly rounds: number;
  /** How often every target is started anew, for that many rounds each. Two processes of one program differ by a tenth. Left out, once. */
  readonly starts?: number;
}

const burstPlan: ReplyPlan = { chunks: 200, delayMs: 0, timestamps: false, tool: false };
const pacedPlan: ReplyPlan = { chunks: 100, delayMs: 20, timestamps: true, tool: false };
export const turnPlan: ReplyPlan = { chunks: 1, delayMs: 0, timestamps: false, tool: false };
const toolPlan: ReplyPlan = { chunks: 50, delayMs: 0, timestamps: false, tool: true };

/** The default profile, about five minutes in all. */
export const workloads: Readonly<Record<Exclude<WorkloadName, 'traced' | 'specialist' | 'team'>, Workload>> = {
  burst: {
    name: 'burst',
    title: 'Burst: 200 chunks written at once, 64 users',
    plan: burstPlan,
    concurrency: 64,
    replies: 2560,
    warmUp: 4000,
    rounds: 7,
  },
  paced: {
    name: 'paced',
    title: 'Paced: 100 chunks, one every 20 ms, 256 users',
    plan: pacedPlan,
    concurrency: 256,
    replies: 512,
    warmUp: 512,
    shortWarmUp: 30_000,
    rounds: 5,
  },
  turn: {
    name: 'turn',
    title: 'Fixed cost of a turn: 1 chunk, 16 users',
    plan: turnPlan,
    concurrency: 16,
    replies: 4000,
    // By then ended turns have the most memory they may have: while the heap grows, V8 collects it more often than later.
    warmUp: 40_000,
    rounds: 7,
  },
  tool: {
    name: 'tool',
    title: 'Tool turn: a tool call, the tool, 50 chunks, 16 users',
    plan: toolPlan,
    concurrency: 16,
    replies: 1500,
    // By then V8 has optimised what a call goes through. Before, a build with more code looks slower than it stays.
    warmUp: 15_000,
    rounds: 5,
  },
  firstToken: {
    name: 'firstToken',
    title: 'First token: 1 chunk, 1 user',
    plan: turnPlan,
    concurrency: 1,
    replies: 1500,
    warmUp: 1500,
    rounds: 5,
  },
  capacity: {
    name: 'capacity',
    title: 'One core: 100 chunks, one every 20 ms, 1,000 users',
    plan: pacedPlan,
    concurrency: 1000,
    replies: 2000,
    warmUp: 1000,
    shortWarmUp: 30_000,
    rounds: 1,
  },
  busy: {
    name: 'busy',
    title: '70 % of that: 100 chunks, one every 20 ms, 700 users',
    plan: pacedPlan,
    concurrency: 700,
    replies: 1400,
    warmUp: 700,
    shortWarmUp: 30_000,
    rounds: 3,
  },
};

/** The burst once more, in many short rounds: what tracing costs is a small share of it. */
export const tracedBurst: Workload = {
  ...workloads.burst,
  name: 'traced',
  title: 'Traces: the burst, with traces sent and without',
  rounds: 10,
};

const agentPlan: ReplyPlan = { chunks: 61, delayMs: 0, timestamps: false, tool: false };

/** Replies that agents give, for `--agents`. */
export const agentWorkloads: Readonly<Record<'specialist' | 'team', Workload>> = {
  specialist: {
    name: 'specialist',
    title: 'A specialist: the coordinator hands over, the specialist says 60 chunks, the coordinator 1, 16 users',
    plan: { ...agentPlan, agents: 'one' },
    concurrency: 16,
    replies: 1000,
    warmUp: 2000,
    rounds: 5,
  },
  team: {
    name: 'team',
    title: 'A team: the coordinator hands over, three say 20 chunks each side by side, the coordinator 1, 16 users',
    plan: { ...agentPlan, agents: 'team' },
    concurrency: 16,
    replies: 600,
    warmUp: 1200,
    rounds: 5,
  },
};

/** The same load in less time, for `--quick`. */
export function quick(workload: Workload): Workload {
  return { ...workload, rounds: 4, warmUp: Math.min(workload.warmUp, 1000) };
}

/** The same load in fewer rounds, for `--peers`: differences of a factor need no more. */
export function briefly(workload: Workload): Workload {
  return { ...workload, rounds: 3 };
}

/** The same load after a shorter beginning and in shorter rounds, for servers that are compared with each other and not with the pipe. */
export function shorter({ replies, warmUp, shortWarmUp = 0, ...workload }: Workload): Workload {
  return {
    ...workload,
    replies: replies / 4,
    warmUp: Math.min(warmUp, 8_000),
    shortWarmUp: Math.min(shortWarmUp, 8_000),
  };
}

/**
 * The same load once what runs only once a turn is compiled too: V8 compiles it after some ten thousand turns, and until then it costs
 * several times as much. A server gets there in its first minutes.
 */
export function warmedUp(workload: Workload): Workload {
  return { ...workload, shortWarmUp: 30_000 };
}

/** The same load on three processes of each target, one after the other, for figures that lie close together. */
export function startedAnew(workload: Workload): Workload {
  return { ...workload, rounds: 4, starts: 3 };
}
