/** What can be measured. CPU times are the server's, in microseconds: all threads, or the main thread alone (`main…`). */
export type Metric =
  | 'repliesPerSecond'
  | 'chunksPerSecond'
  | 'cpuPerReply'
  | 'cpuPerChunk'
  | 'mainPerReply'
  | 'spansPerReply'
  | 'firstTokenMs'
  | 'addedP50Ms'
  | 'addedP99Ms'
  | 'bytesPerReply'
  | 'residentMiB'
  | 'readyMs'
  | 'connectsPerSecond'
  | 'cpuPerConnect'
  | 'kibPerConnection'
  | 'chatP50Ms'
  | 'chatP99Ms'
  | 'confirmedPerSecond'
  | 'confirmedP50Ms';

/** One target under one workload in one round. */
export interface Sample {
  readonly workload: string;
  readonly target: string;
  readonly round: number;
  readonly figures: Readonly<Partial<Record<Metric, number>>>;
}

/** A target that could not be measured, and why. */
export interface Failure {
  readonly workload: string;
  readonly target: string;
  readonly reason: string;
}

/** All samples of one or more workloads, with the targets that fell out. */
export interface Measured {
  readonly samples: readonly Sample[];
  readonly failures: readonly Failure[];
}

/** Puts measurements together. */
export function together(parts: readonly Measured[]): Measured {
  return {
    samples: parts.flatMap((part) => part.samples),
    failures: parts.flatMap((part) => part.failures),
  };
}
