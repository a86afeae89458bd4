import type { ConfirmationReason } from '../events/turn-event.ts';
import { mayRead, readerOf } from '../identity/may-read.ts';
import type { Principal } from '../identity/principal.ts';
import type { Tool } from './tool.ts';

/** The options of contract/confirmations.md#which-actions-ask that decide whether a tool asks. */
export interface ConfirmationSettings {
  readonly requireConfirmation: boolean;
  readonly requireConfirmationForWrites: boolean;
}

/** What the predicates of the YAML file and of the plugins answered for one tool. */
export interface ToolFacts {
  readonly requiresApproval: boolean;
  readonly isReadOnlyAction: boolean;
}

export type ConfirmationNeed = { readonly ask: false } | { readonly ask: true; readonly because: ConfirmationReason };

type DeclaredPolicy = Pick<Tool, 'source' | 'readOnly' | 'requiresConfirmation' | 'vouchedReadOnly'>;

/**
 * Whether a tool asks its user first, and why (contract/confirmations.md#which-actions-ask). The function has no effects. The first
 * check that applies decides.
 */
export function needsConfirmation(
  tool: DeclaredPolicy,
  facts: ToolFacts,
  settings: ConfirmationSettings,
): ConfirmationNeed {
  // A tool of a hosted MCP server that needs approval asks whatever `requireConfirmation` says (contract/hosted-tools.md#approvals).
  if (tool.source === 'hosted' && tool.requiresConfirmation === true) return { ask: true, because: 'hosted' };
  if (!settings.requireConfirmation) return { ask: false };
  if (tool.requiresConfirmation === true) return { ask: true, because: tool.source === 'mcp' ? 'mcp' : 'declared' };
  if (facts.requiresApproval) return { ask: true, because: 'policy' };
  if (isUndeclaredWrite(tool, facts) && settings.requireConfirmationForWrites) return { ask: true, because: 'write' };
  return { ask: false };
}

/**
 * Whether a tool counts as read-only: declared or matched by `isReadOnlyAction`. A tool that needs confirmation never is
 * (contract/confirmations.md#which-actions-ask).
 */
export function isReadOnly(tool: DeclaredPolicy, facts: ToolFacts, need: ConfirmationNeed): boolean {
  if (need.ask || tool.requiresConfirmation === true) return false;
  // What an MCP server says of its tools is not verified. It spares the question of an undeclared write, and nothing else.
  const declared = tool.source === 'mcp' ? tool.vouchedReadOnly : tool.readOnly;
  return declared === true || facts.isReadOnlyAction;
}

/** Plain tools (`source: 'tool'`) declare nothing by nature, so they are not undeclared writes. */
function isUndeclaredWrite(tool: DeclaredPolicy, facts: ToolFacts): boolean {
  return (
    (tool.source === 'action' || tool.source === 'page' || tool.source === 'mcp') &&
    tool.readOnly !== true &&
    tool.requiresConfirmation === undefined &&
    !facts.isReadOnlyAction
  );
}

type ToolPredicate = (tool: Tool) => boolean | Promise<boolean>;

export interface ToolPolicyOptions extends ConfirmationSettings {
  /**
   * Joined by OR (contract/confirmations.md#which-actions-ask). A predicate that throws counts as true: in doubt the
   * user is asked.
   */
  readonly requiresApproval: readonly ToolPredicate[];
  /** Joined by OR. A predicate that throws counts as false: in doubt a tool is a write. */
  readonly isReadOnlyAction: readonly ToolPredicate[];
  /** Whether the kill switch stops a tool now. It is asked for each call, because the switch may change at any moment. */
  readonly isSwitchedOff?: (tool: Pick<Tool, 'name'>, readOnly: boolean) => boolean;
}

export interface ToolVerdict {
  readonly need: ConfirmationNeed;
  readonly readOnly: boolean;
}

/** One policy for all channels (contract/confirmations.md#which-actions-ask): decides for each call anew, since predicates are host code. */
export class ToolPolicy {
  readonly #options: ToolPolicyOptions;

  constructor(options: ToolPolicyOptions) {
    this.#options = options;
  }

  /** Whether anybody is ever asked (`requireConfirmation`). */
  get mayAsk(): boolean {
    return this.#options.requireConfirmation;
  }

  async judge(tool: Tool): Promise<ToolVerdict> {
    const facts: ToolFacts = {
      requiresApproval: await anyTrue(this.#options.requiresApproval, tool, true),
      isReadOnlyAction: mayBeDeclaredReadOnly(tool) && (await anyTrue(this.#options.isReadOnlyAction, tool, false)),
    };
    const need = needsConfirmation(tool, facts, this.#options);
    return { need, readOnly: isReadOnly(tool, facts, need) };
  }

  /** Whether the kill switch stops a call. A call that was approved already is stopped too (contract/operations.md#kill-switch). */
  isSwitchedOff(tool: Pick<Tool, 'name'>, readOnly: boolean): boolean {
    return this.#options.isSwitchedOff?.(tool, readOnly) === true;
  }
}

function mayBeDeclaredReadOnly({ source }: Tool): boolean {
  return source !== 'hosted';
}

async function anyTrue(predicates: readonly ToolPredicate[], tool: Tool, onThrow: boolean): Promise<boolean> {
  for (const predicate of predicates) {
    try {
      if (await predicate(tool)) return true;
    } catch {
      if (onThrow) return true;
    }
  }
  return false;
}

/**
 * Whether the user may run a tool. One of the required roles suffices. A tool without required roles is for everybody of its tenants
 * (contract/identity.md#roles).
 */
export function mayRun(tool: Pick<Tool, 'requiredRoles' | 'tenants'>, principal: Principal): boolean {
  return mayRead(tool, readerOf(principal));
}
