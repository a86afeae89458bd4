import { closeRow } from '../confirmations/recover-journal.ts';
import type { JournalRow } from '../ports/confirmation-journal.ts';
import type { ActionStatus } from '../turn/turn-event.ts';
import type { TurnServices } from '../turn/turn-services.ts';
import { interruptedCall, type KeptCall } from './kept-call.ts';
import { runTool, type ToolRun } from './run-tool.ts';
import { tellsNothing } from './tool-faults.ts';
import type { Tool } from './tool.ts';

/**
 * Callbacks that were running when an earlier process died, and whose turn died with it: each is made once more under its
 * id, so that the journal knows what came of it (wire.md 5). Nobody is left to be told.
 */
export class InterruptedCalls {
  readonly #services: Pick<TurnServices, 'toolbox' | 'tools'>;
  readonly #waiting: Map<string, JournalRow>;
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(rows: readonly JournalRow[], services: Pick<TurnServices, 'toolbox' | 'tools'>) {
    this.#services = services;
    this.#waiting = new Map(rows.map((row) => [row.actionId, row]));
  }

  /** Makes those whose action is there; called again when more actions have come. */
  retry(): void {
    if (this.#stop.signal.aborted) return;
    const toolbox = this.#services.toolbox();
    for (const row of this.#waiting.values()) {
      const tool = toolbox.find(row.action);
      if (tool === undefined) continue;
      this.#waiting.delete(row.actionId);
      const running = this.#retry(row, tool).catch((error: unknown) => {
        const { actionId } = row;
        this.#services.tools.log.error({ error, actionId }, 'an interrupted action is left for the next start');
      });
      this.#running.add(running);
      void running.then(() => this.#running.delete(running));
    }
  }

  /** Waits for those that run, for `graceMs` at most; the next process makes what is left. */
  async drain(graceMs: number): Promise<void> {
    this.#waiting.clear();
    const timer = setTimeout(() => {
      this.#stop.abort(new Error('the server is shutting down'));
    }, graceMs);
    await Promise.all(this.#running);
    clearTimeout(timer);
  }

  async #retry(row: JournalRow, tool: Tool): Promise<void> {
    const { journal, log, now, metrics } = this.#services.tools;
    const call = interruptedCall(row);
    if (call === undefined || tool.repeatable !== true) {
      await closeRow(row, 'cancelled', { journal, log, now: now() });
      return;
    }
    const { actionId, callId, action, turnId } = row;
    const startedAt = now();
    // Counted first: a call that ends its server each time must not be made for ever.
    await journal.retried(actionId);
    const status = statusOf(await this.#run(tool, call));
    if (status === undefined) return;
    await journal.done(actionId, status, now());
    metrics.toolCalled({ action, status, durationMs: Math.round(now() - startedAt) });
    log.warn({ actionId, callId, action, turnId, status }, 'an action that was interrupted was called again');
  }

  #run(tool: Tool, { arguments: argumentsValue, context }: KeptCall): Promise<ToolRun> {
    const { log } = this.#services.tools;
    const { callId, turnId } = context;
    return runTool(tool, argumentsValue, {
      ...context,
      stop: this.#stop.signal,
      progress: () => undefined,
      log: log.child({ tool: tool.name, callId, turnId }),
    });
  }
}

/** Whatever is no answer says nothing about the first attempt. Undefined: it was given up for the next process. */
function statusOf(run: ToolRun): ActionStatus | undefined {
  switch (run.kind) {
    case 'returned':
      return 'succeeded';
    case 'threw':
      return tellsNothing(run.error) ? 'unknown' : 'failed';
    case 'abandoned':
      return run.because === 'stopped' ? undefined : 'unknown';
  }
}
