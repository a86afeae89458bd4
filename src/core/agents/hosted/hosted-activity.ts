import { randomId } from '../../base/random-id.ts';
import type { CallServices, TurnScope } from '../../calls/call-scope.ts';
import type { ActionStatus } from '../../events/turn-event.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { HostedCall, HostedCitation, HostedProgress, HostedTarget } from '../../ports/hosted-tools.ts';
import { isAllowedTool, needsApproval } from '../../tools/hosted-approval.ts';
import { hostedMcpTitle, hostedName } from '../../tools/hosted-name.ts';
import { actionFailed, type RecordedOutcome } from '../../tools/tool-outcome.ts';
import { meteredName } from '../../tools/tool-name.ts';
import type { HostedUse } from './hosted-use.ts';

/** A call of the provider in the record, under an id of our own. */
export type RecordedHostedCall = HostedCall & { readonly callId: string; readonly durationMs: number };

/** What the provider's tools did for a reply, as the record has it. */
export interface RecordedHosted {
  readonly calls: readonly RecordedHostedCall[];
  readonly citations: readonly HostedCitation[];
}

/** A call that has begun, as the record has it. */
interface BegunCall {
  readonly target: HostedTarget;
}

/** How a call ended, as the record has it: for receipts and look-ups it is a call like any other (`receiptsOf`). */
type EndedCall = Required<Pick<RecordedOutcome, 'status' | 'durationMs'>> & Pick<RecordedOutcome, 'receipt' | 'reads'>;

/** What the calls of the provider are told with. */
interface ActivityScope {
  readonly turn: TurnScope;
  readonly services: Pick<CallServices, 'clock' | 'log' | 'metrics' | 'texts'>;
  readonly use: HostedUse;
  readonly agent: string;
  /** The beginning of the keys of the reply. */
  readonly path: string;
  /** Takes a call that somebody has approved, which is told elsewhere; false when nobody has. */
  readonly isApproved: (call: HostedCall) => boolean;
}

/**
 * Tells which calls the provider makes while it writes a reply (contract/hosted-tools.md#activity). What is told is recorded first, so
 * that a turn that goes on tells none twice, and ends those that a crash has left open.
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

  /** Whatever the provider has called, approved or not. */
  get targets(): readonly HostedTarget[] {
    return this.#targets;
  }

  /** The calls that ended, but for those that somebody has approved. */
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

  /** The reply is over: what has not ended did not come to its end. */
  close(): void {
    for (const [id, { target }] of this.#open) this.#conclude(id, statusOfBroken(target));
  }

  #begin(id: string, target: HostedTarget): void {
    // A call of an MCP server may be one that was approved, which only its end says.
    if (target.kind === 'mcp' && this.#mayBeApproved()) return;
    this.#announce(id, target);
  }

  #announce(id: string, target: HostedTarget): void {
    const { turn, use, services, agent } = this.#scope;
    const callId = randomId();
    this.#open.set(id, { callId, target, at: services.clock.elapsed() });
    const begun: BegunCall = { target };
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

  /** Each call ends once: a reply lists the calls whose ends were told while it was read. */
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

  /** A provider that does not keep to the approvals is told of: nobody can undo what it ran. */
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

  /** Ends what an earlier process has begun: this one asks for the reply anew. */
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

  /** A tool of an MCP server may have changed something, and what it gives may be what was asked for. */
  #ending(target: HostedTarget, status: ActionStatus, durationMs: number): EndedCall {
    const isOfServer = target.kind === 'mcp';
    const reads = status === 'succeeded' && (isOfServer || target.name === 'FileSearch');
    const [action, title] = [hostedName(target), this.#titleOf(target)];
    return {
      status,
      durationMs,
      ...(isOfServer ? { receipt: { action, title, at: this.#scope.services.clock.now() } } : {}),
      ...(reads ? { reads } : {}),
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

/** For a reply before which nobody has approved anything. */
export const nothingApproved = (): boolean => false;

/** A tool of an MCP server may have changed something; those of the provider change nothing that is the user's. */
function statusOfBroken(target: HostedTarget): ActionStatus {
  return target.kind === 'mcp' ? 'unknown' : 'cancelled';
}
