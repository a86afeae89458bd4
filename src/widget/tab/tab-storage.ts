import type { SavedConversation } from '../conversation/saved-conversation.ts';
import { toJson } from '../transport/signalr/to-json.ts';
import { clearEntry, readEntry, urgent, writeEntry } from './tab-entry.ts';

/** What a tab keeps of the widget between two pages. */
export interface TabRecord {
  /** The same on every page of the tab, and also in a duplicate of the tab. */
  readonly id: string;
  readonly isOpen: boolean;
  /** Text that was written and not sent. */
  readonly draft: string;
  readonly conversation: SavedConversation | null;
}

/** Characters. A longer record is kept without its sealed conversation, because all pages of an origin share a few MiB. */
const longest = 2_000_000;

/**
 * The record of one tab for the widget of one server. It exists from the end of a page to the first use of the panel on the next page,
 * which removes it. Where the page may store nothing, no record is kept.
 */
export class TabStorage {
  readonly #scriptUrl: string;

  constructor(scriptUrl: string) {
    this.#scriptUrl = scriptUrl;
  }

  /** Returns the record and removes it. Null when there is none or it cannot be read. */
  take(): TabRecord | null {
    const entry = readEntry(this.#scriptUrl);
    const text = entry.startsWith(urgent) ? entry.slice(urgent.length) : entry;
    this.clear();
    try {
      return readRecord(JSON.parse(text));
    } catch {
      return null;
    }
  }

  put(record: TabRecord): void {
    const { conversation } = record;
    const whole = toJson(record);
    // A sealed conversation that is too long is dropped. The draft, the running turn and the panel's state are kept.
    const text =
      whole.length < longest || conversation === null
        ? whole
        : toJson({ ...record, conversation: { ...conversation, snapshot: null, snapshotTurn: null } });
    const mark = record.isOpen || conversation?.turn?.isRunning === true ? urgent : '';
    if (text.length < longest) writeEntry(this.#scriptUrl, mark + text);
  }

  clear(): void {
    clearEntry(this.#scriptUrl);
  }
}

/** Checks the record, because the page's scripts can write it too. */
function readRecord(value: unknown): TabRecord | null {
  if (!isObject(value) || typeof value['draft'] !== 'string' || typeof value['id'] !== 'string') return null;
  const conversation = value['conversation'];
  return {
    id: value['id'],
    isOpen: value['isOpen'] === true,
    draft: value['draft'],
    conversation: isSavedConversation(conversation) ? conversation : null,
  };
}

function isSavedConversation(value: unknown): value is SavedConversation {
  if (!isObject(value) || typeof value['user'] !== 'string') return false;
  const { snapshot, snapshotTurn, turn } = value;
  return isTextOrNull(snapshot) && isTextOrNull(snapshotTurn) && (turn === null || isSavedTurn(turn));
}

function isSavedTurn(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { turnId, lastSeq, isRunning, text } = value;
  const isText = typeof turnId === 'string' && typeof text === 'string';
  return isText && Number.isSafeInteger(lastSeq) && typeof isRunning === 'boolean';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
