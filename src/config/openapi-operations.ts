import type { HelperSettings } from './settings.ts';

type Entry = Exclude<HelperSettings['actions'], 'none'>['openapi'][number];
type Said = Entry['actions'][string];

/** What an entry of `actions.openapi` says of operations, however it is written (contract/openapi.md#operations). */
export interface SaidOfOperations {
  /** Which operations are imported, by glob. */
  readonly operations: readonly string[];
  /** What holds for single operations, by id or by method and path. */
  readonly actions: Readonly<Record<string, Said>>;
}

/** Whether a text names operations by glob, and not a single one. */
export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

/** The operations of an entry. A map of them says both which there are and what holds for each. */
export function saidOfOperations({ operations, actions }: Pick<Entry, 'operations' | 'actions'>): SaidOfOperations {
  if (isList(operations)) return { operations, actions };
  const single = Object.entries(operations).filter(([key]) => !isGlob(key));
  return { operations: Object.keys(operations), actions: { ...Object.fromEntries(single), ...actions } };
}

/** Whether nothing is said beside the name of the operation. */
export function saysNothing(said: Said): boolean {
  const values: readonly unknown[] = Object.values(said);
  return values.every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
}

function isList(operations: Entry['operations']): operations is readonly string[] {
  return Array.isArray(operations);
}
