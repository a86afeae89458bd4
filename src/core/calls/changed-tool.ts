import type { Tool } from '../tools/tool.ts';

/**
 * Whether the user was asked about another declaration of the tool. `asked`: what the question has recorded, which is no text where the
 * tool had no fingerprint.
 */
export function isOtherTool(asked: unknown, { fingerprint }: Pick<Tool, 'fingerprint'>): boolean {
  return typeof asked === 'string' && asked !== fingerprint;
}
