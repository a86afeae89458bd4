import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from '../core/ports/logger.ts';

/** Milliseconds between two looks. */
const checkMs = 10_000;
/** A server that was busy for less than this share of the time serves nobody who would notice a pause. */
const quietShare = 0.02;
/**
 * The number of quiet looks in a row that are needed. After a collection the next rush starts cold, so a short pause between two rushes
 * must not count as the end.
 */
const quietLooks = 4;
/**
 * Memory is collected only when the process has grown by this factor since its smallest size. Less is not worth a
 * pause.
 */
const growth = 1.25;

/** The memory of a process, and how busy it is. */
export interface ProcessMemory {
  residentBytes(): number;
  /** The share of the time since the last call in which JavaScript ran, 0 to 1. */
  busyShare(): number;
  /** Collects all garbage and gives free pages back to the system. Nothing else runs meanwhile. */
  collect(): void;
}

/**
 * Gives memory back to the system after a rush. V8 collects garbage only when something is allocated, so a quiet server would keep its
 * largest size. A full collection takes some tenths of a second.
 */
export class MemoryRelease {
  readonly #memory: ProcessMemory;
  readonly #log: Logger;
  /** The size with which growth is compared. */
  #smallest: number;
  #quiet = 0;

  /** Create it right after the start: the server needs all memory that it holds at that moment. */
  constructor(memory: ProcessMemory, log: Logger) {
    this.#memory = memory;
    this.#log = log;
    this.#smallest = memory.residentBytes();
    memory.busyShare();
  }

  /** One look. Returns whether memory was given back. */
  check(): boolean {
    this.#quiet = this.#memory.busyShare() < quietShare ? this.#quiet + 1 : 0;
    const before = this.#memory.residentBytes();
    this.#smallest = Math.min(this.#smallest, before);
    if (this.#quiet < quietLooks || before <= this.#smallest * growth) return false;
    const began = performance.now();
    this.#memory.collect();
    const after = this.#memory.residentBytes();
    // What the collection has left is in use, so growth is compared with it from now on.
    this.#smallest = after;
    const tookMs = Math.round(performance.now() - began);
    this.#log.info({ beforeMiB: mebibytes(before), afterMiB: mebibytes(after), tookMs }, 'memory was given back');
    return true;
  }
}

/** Looks every ten seconds until what it returns is called. */
export function releaseMemory(log: Logger): () => void {
  const release = new MemoryRelease(thisProcess(), log);
  const timer = setInterval(() => release.check(), checkMs).unref();
  return () => {
    clearInterval(timer);
  };
}

function thisProcess(): ProcessMemory {
  const collectGarbage = garbageCollector();
  let last = performance.eventLoopUtilization();
  return {
    residentBytes: () => process.memoryUsage.rss(),
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect: () => {
      collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    },
  };
}

type CollectGarbage = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: string;
}) => void;

/** V8 gives its collector only to a context that is made while V8 exposes it. */
function garbageCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect as CollectGarbage; // V8's own
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
