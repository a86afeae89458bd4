import type { Tool } from '../../core/tools/tool.ts';

/** The declarations of an action. A declaration that its author left out is undefined. */
interface Declared {
  readonly readOnly?: boolean | undefined;
  readonly requiresConfirmation?: boolean | undefined;
  readonly destructive?: boolean | undefined;
}

/** The declarations of an action in the form of a tool. An action that cannot be undone always asks (extending-1-14). */
export function declaredPolicy(declared: Declared): Pick<Tool, 'readOnly' | 'requiresConfirmation' | 'destructive'> {
  const { readOnly, requiresConfirmation, destructive = false } = declared;
  if (!destructive) return { readOnly, requiresConfirmation };
  return { readOnly: undefined, requiresConfirmation: true, destructive };
}

/** The declaration that contradicts `destructive: true`. Undefined when there is none. */
export function destructiveFault({ readOnly, requiresConfirmation, destructive }: Declared): string | undefined {
  if (destructive !== true) return undefined;
  if (readOnly === true) return 'cannot stand beside readOnly: true';
  return requiresConfirmation === false ? 'cannot stand beside requiresConfirmation: false' : undefined;
}
