import { randomId } from '../../base/random-id.ts';
import type { CallServices, TurnScope } from '../../calls/call-scope.ts';
import { receiptFor } from '../../calls/what-it-did.ts';
import type { ActionStatus } from '../../events/turn-event.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { HostedCall, HostedCitation, HostedProgress, HostedTarget } from '../../ports/hosted-tools.ts';
import { isAllowedTool, needsApproval } from '../../tools/hosted-approval.ts';
import { hostedMcpTitle, hostedName } from '../../tools/hosted-name.ts';
import { actionFailed, type RecordedOutcome } from '../../tools/tool-outcome.ts';
import { meteredName } from '../../tools/tool-name.ts';
import type { HostedUse } from './hosted-use.ts';

/** A call of the provider in the record, under an id of this server. */
export type RecordedHostedCall = HostedCall & { readonly callId: string; readonly durationMs: number };

/** What the provider's tools did for a reply, as the record has it. */
export interface RecordedHosted {
  readonly calls: readonly RecordedHostedCall[];
  readonly citations: readonly HostedCitation[];
}

/** A call that has begun, as the record has it. */
interface BegunCall extends Pick<RecordedOutcome, 'receipt'> {
  readonly target: HostedTarget;
}

/** How a call ended, as the record has it. Receipts and look-ups treat it like any other call (`receiptsOf`). */
type EndedCall = Required<Pick<RecordedOutcome, 'status' | 'durationMs'>> & Pick<RecordedOutcome, 'receipt' | 'reads'>;

/** What is needed to tell the calls of the provider. */
interface ActivityScope {
  readonly turn: TurnScope;
  readonly services: Pick<CallServices, 'clock' | 'log' | 'metrics' | 'texts'>;
  readonly use: HostedUse;
  readonly agent: string;
  /** The beginning of the keys of the reply. */
  readonly path: string;
  /** Takes the end of a call. Returns whether the call was one that somebody has approved. Such a call is told elsewhere. */
  readonly isApproved: (call: HostedCall) => boolean;
}

/**
 * Tells which calls the provider makes while it writes a reply (contract/hosted-tools.md#activity). Each call is recorded before it is
 * told. A turn that continues from a record therefore tells no call twice, and ends the calls that a crash has left open.
 */
export class HostedActivity {
  readonly #scope: ActivityScope;
  readonly #open = new Map<string, { readonly callId: string; readonly target: HostedTarget; readonly at: number }>();
  readonly #calls: RecordedHostedCall[] = [];
  readonly #ended = new Set<string>();
  readonly #targets: HostedTarget[] = [];

  constructor(scope: ActivityScope) {
    this.#scope = scope;
    this.#endEarlier();
  }

  /** The targets of all calls of the provider, approved or not. */
  get targets(): readonly HostedTarget[] {
    return this.#targets;
  }

  /** The calls that ended, without those that somebody has approved. */
  get calls(): readonly RecordedHostedCall[] {
    return this.#calls;
  }

  take(progress: HostedProgress): void {
    if (progress.phase === 'began') {
      this.#targets.push(progress.target);
      this.#begin(progress.id, progress.target);
    } else {
      this.#targets.push(progress.call.target);
      this.#end(progress.call);
    }
  }

  /** Must be called when the reply is over. Calls that have not ended are closed as broken. */
  close(): void {
    for (const [id, { target }] of this.#open) this.#conclude(id, statusOfBroken(target));
  }

  #begin(id: string, target: HostedTarget): void {
    // This call of an MCP server may be an approved one. Only the end of the call says whether it is.
    if (target.kind === 'mcp' && this.#mayBeApproved()) return;
    this.#announce(id, target);
  }

  #announce(id: string, target: HostedTarget): void {
    const { turn, use, services, agent } = this.#scope;
    const callId = randomId();
    this.#open.set(id, { callId, target, at: services.clock.elapsed() });
    const begun: BegunCall = { target, ...this.#receiptOf(target) };
    turn.record.put(this.#key(callId), begun);
    if (!use.showsActivity) return;
    const action = hostedName(target);
    turn.events.once(`${this.#key(callId)}/executing`, {
      type: 'action-executing',
      callId,
      action,
      title: this.#titleOf(target),
      agent,
    });
  }

  /** Ends a call once only: the reply lists calls again whose ends were told while it was read. */
  #end(call: HostedCall): void {
    if (this.#ended.has(call.id)) return;
    this.#ended.add(call.id);
    if (this.#scope.isApproved(call)) return;
    if (!this.#open.has(call.id)) this.#announce(call.id, call.target);
    const { target } = call;
    if (target.kind === 'mcp') this.#checkAllowed(call.id, target);
    const ended = this.#conclude(call.id, call.status);
    if (ended !== undefined) this.#calls.push({ ...call, ...ended });
  }

  /** Logs and tells the user that the provider ran a tool without the approval it needed. Nobody can undo the call. */
  #checkAllowed(id: string, target: Extract<HostedTarget, { readonly kind: 'mcp' }>): void {
    const { turn, use, services } = this.#scope;
    const server = use.servers.find(({ name }) => name === target.server);
    const mayRun = server !== undefined && isAllowedTool(server, target.name) && !needsApproval(server, target.name);
    if (mayRun) return;
    const { callId } = this.#open.get(id) ?? {};
    const action = hostedName(target);
    services.log.error({ turnId: turn.id, callId, action }, 'the provider ran a tool that nobody had approved');
    const message = services.texts.hostedRanUnasked.replace('{action}', () => this.#titleOf(target));
    turn.events.once(`${this.#key(callId ?? id)}/unasked`, actionFailed(message));
  }

  #conclude(id: string, status: ActionStatus): { readonly callId: string; readonly durationMs: number } | undefined {
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    this.#open.delete(id);
    const { turn, services } = this.#scope;
    const { callId, target } = open;
    const durationMs = Math.round(services.clock.elapsed() - open.at);
    const ended = this.#ending(target, status, durationMs);
    turn.record.put(`${this.#key(callId)}/ended`, ended);
    this.#tellEnd(callId, target, ended);
    const action = meteredName(hostedName(target));
    services.metrics.of(tenantOf(turn.request.caller.principal)).toolCalled({ action, status, durationMs });
    return { callId, durationMs };
  }

  /** Ends the calls that an earlier process has begun, because this process asks for the reply anew. */
  #endEarlier(): void {
    const { record } = this.#scope.turn;
    const begun = [...record.entries()].filter(([key]) => key.startsWith(`${this.#scope.path}/hosted/`));
    for (const [key, value] of begun) {
      const callId = key.slice(this.#key('').length);
      if (callId.includes('/')) continue;
      const { target } = value as BegunCall; // recorded by `#announce`
      record.put(`${key}/ended`, this.#ending(target, statusOfBroken(target), 0));
      this.#tellEnd(callId, target, record.get(`${key}/ended`) as EndedCall); // recorded here or by `#conclude`
    }
  }

  /**
   * The end of a call, for the record. A tool of an MCP server may have changed something, so it has a receipt. Its result may be the data
   * that the user asked for, so its success counts as a look-up.
   */
  #ending(target: HostedTarget, status: ActionStatus, durationMs: number): EndedCall {
    const reads = status === 'succeeded' && (target.kind === 'mcp' || target.name === 'FileSearch');
    return { status, durationMs, ...this.#receiptOf(target), ...(reads ? { reads } : {}) };
  }

  /** The receipt of a call. It is already recorded when the call begins, because a turn that is only concluded never ends its calls. */
  #receiptOf(target: HostedTarget): Pick<RecordedOutcome, 'receipt'> {
    if (target.kind !== 'mcp') return {};
    return {
      receipt: receiptFor(hostedName(target), { title: this.#titleOf(target) }, this.#scope.services.clock.now()),
    };
  }

  #tellEnd(callId: string, target: HostedTarget, { status, durationMs }: EndedCall): void {
    const { turn, use } = this.#scope;
    if (!use.showsActivity) return;
    const action = hostedName(target);
    turn.events.once(`${this.#key(callId)}/completed`, {
      type: 'action-completed',
      callId,
      action,
      status,
      durationMs,
    });
  }

  #titleOf(target: HostedTarget): string {
    return target.kind === 'mcp' ? hostedMcpTitle(target) : this.#scope.services.texts.hostedTools[target.name];
  }

  #mayBeApproved(): boolean {
    return this.#scope.isApproved !== nothingApproved;
  }

  #key(callId: string): string {
    return `${this.#scope.path}/hosted/${callId}`;
  }
}

/** Used for a reply before which nobody has approved a call. */
export const nothingApproved = (): boolean => false;

/**
 * The status of a call that did not end. A tool of an MCP server may have changed something. The tools of the provider change nothing of
 * the user.
 */
function statusOfBroken(target: HostedTarget): ActionStatus {
  return target.kind === 'mcp' ? 'unknown' : 'cancelled';
}
