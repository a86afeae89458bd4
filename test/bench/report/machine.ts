import { cpus, loadavg, totalmem, type as systemType } from 'node:os';
import { canPin } from '../processes/child-processes.ts';

/** The machine and the time of a run. Without them figures mean nothing. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  /** The one-minute load average before the run. */
  readonly load: number;
  /** Whether server and load had a core each. */
  readonly pinned: boolean;
}

/** Describes this machine as it is now. */
export function describeMachine(): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: systemType(),
    load: loadavg()[0] ?? 0,
    pinned: canPin,
  };
}

/** The machine, the day and how busy it was, as a sentence for a page. `how`: what else to know of the run. */
export function measuredOn({ date, processor, cores, memoryGiB, system, node, load }: Machine, how: string): string {
  return `Measured ${date} on ${processor}, ${String(cores)} cores, ${String(memoryGiB)} GiB, ${system}, Node ${node.slice(1)}; load average before the run ${load.toFixed(2)}; ${how}.`;
}

/** What may spoil the figures, in words; undefined when the machine was quiet. */
export function loadWarning(machine: Machine): string | undefined {
  if (machine.load <= machine.cores / 2) return undefined;
  return `the load average was ${machine.load.toFixed(2)} on ${machine.cores} cores before the run: figures are inflated`;
}
