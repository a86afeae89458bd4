import { ChatsBeside } from './chats-beside.ts';
import { forgetPeak, openSockets, peakMebibytes, residentMebibytes } from './process-figures.ts';
import type { Must, StressCase } from './stress-case.ts';
import { StressServer } from './stress-server.ts';
import { until } from './until.ts';

/** The result of a case. */
export interface PlayedCase {
  readonly played: StressCase;
  /** The promises that did not hold, as sentences. */
  readonly broken: readonly string[];
  readonly seen: string;
  readonly seconds: number;
  /** The server's memory before the attack and its peak. */
  readonly mebibytes: { readonly before: number; readonly peak: number };
  /** The chats of another client during the attack. */
  readonly beside: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number };
}

/** Chats before the measurement, so that a new process has compiled its code. */
const warmUps = 40;
/** Milliseconds that another client's chat may take, on a busy machine that also plays the attacker and the model. */
const besideLimitMs = 5_000;
/** Milliseconds until everything of the attack must be gone. */
const tidyMs = 8_000;
const defaultMebibytes = 100;

/**
 * Plays one case. In addition to the case's own promise, other clients' chats must be answered meanwhile, memory must stay bounded, no
 * socket may stay open or counted, and SIGTERM must end the process with 0.
 */
export async function playCase(played: StressCase): Promise<PlayedCase> {
  const server = await StressServer.start(played.server ?? {});
  try {
    return await playOn(server, played);
  } finally {
    await server.close();
  }
}

async function playOn(server: StressServer, played: StressCase): Promise<PlayedCase> {
  const broken: string[] = [];
  const must: Must = (isSo, sentence) => {
    if (!isSo) broken.push(sentence);
  };
  const warmUp = new ChatsBeside(server.url);
  for (let chat = 0; chat < warmUps; chat += 1) await warmUp.chat();
  forgetPeak(server.pid);
  const before = residentMebibytes(server.pid);
  const beside = new ChatsBeside(server.url);
  beside.begin();
  const startedAt = performance.now();
  const seen = await played.play(server, must);
  const seconds = (performance.now() - startedAt) / 1000;
  await beside.end();
  const peak = peakMebibytes(server.pid);
  const [p50Ms, p99Ms] = [beside.quantileMs(0.5), beside.quantileMs(0.99)];
  must(beside.failures.length === 0, `somebody else was not answered: ${beside.failures[0] ?? ''}`);
  must(p99Ms < besideLimitMs, `somebody else waited ${p99Ms.toFixed(0)} ms`);
  const { mebibytes = defaultMebibytes } = played;
  must(peak - before < mebibytes, `memory grew from ${before.toFixed(0)} to ${peak.toFixed(0)} MiB`);
  await mustBeTidy(server, must);
  return { played, broken, seen, seconds, mebibytes: { before, peak }, beside: { count: beside.count, p50Ms, p99Ms } };
}

async function mustBeTidy(server: StressServer, must: Must): Promise<void> {
  const sockets = (): number => openSockets(server.pid, server.port);
  must(await until(() => sockets() === 0, tidyMs), `${String(sockets())} sockets stay open`);
  const counted = (): Promise<number> => server.metric('helperagent_connections');
  must(await until(async () => (await counted()) === 0, tidyMs), `${String(await counted())} connections stay counted`);
  const code = await server.end();
  must(code === 0, `SIGTERM ended it with ${String(code)}`);
}
