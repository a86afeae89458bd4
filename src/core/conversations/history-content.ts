import type { TitleGiver } from '../ports/conversation-store.ts';
import type { KeptTurnText } from './stored-turns.ts';

/** The version MUST be increased when the content is written in a form that an older server cannot read. */
const version = 1;

/** What a plugin keeps of a conversation beside its head. The text of each turn is sealed by itself. */
export interface HistoryContent {
  readonly titledBy: TitleGiver | 'words';
  readonly turns: readonly KeptTurnText[];
}

/** The text that a plugin is given to keep. The text means nothing to the plugin. */
export function contentOf({ titledBy, turns }: HistoryContent): string {
  return JSON.stringify({ version, titledBy, turns });
}

/** @throws Error when the content was not made by `contentOf` of this version. */
export function readContent(content: string): HistoryContent {
  const read = JSON.parse(content) as Partial<HistoryContent> & { version?: unknown }; // Outside data; looked at below.
  const { titledBy, turns } = read;
  const isTitled = titledBy === 'words' || titledBy === 'user' || titledBy === 'model';
  if (read.version !== version || !isTitled || !Array.isArray(turns) || !turns.every(isTurn)) {
    throw new Error('a conversation is not what was saved');
  }
  return { titledBy, turns };
}

function isTurn(value: unknown): value is KeptTurnText {
  const { turnId, text, messages, replaces } = (value ?? {}) as Partial<Record<keyof KeptTurnText, unknown>>; // Looked at here.
  const isReplacing = replaces === undefined || typeof replaces === 'string';
  return typeof turnId === 'string' && typeof text === 'string' && typeof messages === 'number' && isReplacing;
}
