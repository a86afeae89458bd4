import { listOf, objectOf, textOf } from '../json-values.ts';
import { ExtrasRoom, type ReadExtras } from '../own-extras.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Members of a message that hold a thought as text. Servers have different names for it, and want the name that they sent. */
export const thoughtMembers = ['reasoning_content', 'reasoning'] as const;
/** Members that hold a thought as a list of blocks, with its signatures: of OpenRouter, and of LiteLLM. */
const blockMembers = ['reasoning_details', 'thinking_blocks'] as const;
/** Members in which signatures come, of Google and of LiteLLM. Calls have them, too. */
export const signatureMembers = ['extra_content', 'provider_specific_fields'] as const;
/** All members of a message that a provider may want back. */
export const extraMembers: readonly string[] = [...thoughtMembers, ...blockMembers, ...signatureMembers];

/** The members of a block whose pieces follow each other. Its other members are whole. */
const pieces: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking']);

/** What a block takes beside its content, so that there are not many small ones. */
const bytesOfBlock = 256;

/** The extras of a reply in the form of this wire. The calls are in their order; `null` stands for a call that has none. */
interface WireExtras {
  readonly message: Fields;
  readonly calls: readonly (Fields | null)[];
}

/** Collects what a provider writes beside the text of a reply and may want back with it. */
export class ReplyExtras {
  readonly #room: ExtrasRoom;
  readonly #thoughts = new Map<string, string[]>();
  readonly #blocks = new Map<string, Fields[]>();
  #signatures: Fields = {};

  constructor(meter: ReplyMeter) {
    this.#room = new ExtrasRoom(meter);
  }

  /** Whether a piece of a message has anything for `add`. */
  static isIn(delta: Fields): boolean {
    for (const name in delta) if (extraMembers.includes(name) && isFilled(delta[name])) return true;
    return false;
  }

  /** Reads a piece of the message. @throws ReplyTooLarge. */
  add(delta: Fields): void {
    for (const name of thoughtMembers) this.#addThought(name, textOf(delta[name]));
    for (const name of blockMembers) for (const block of listOf(delta[name])) this.#addBlock(name, objectOf(block));
    this.#signatures = { ...this.#signatures, ...this.signatures(delta) };
  }

  /** The signatures among the members of a call, or of a message. @throws ReplyTooLarge. */
  signatures(fields: Fields): Fields | undefined {
    const found = signatureMembers.flatMap((name) => {
      const value = objectOf(fields[name]);
      return value === undefined || Object.keys(value).length === 0 ? [] : [[name, value] as const];
    });
    if (found.length === 0) return undefined;
    const members = Object.fromEntries(found);
    return this.#room.takesJson(members) ? members : undefined;
  }

  /** The extras of the whole reply. `calls` has the signatures of its calls. */
  read(calls: readonly (Fields | undefined)[]): ReadExtras {
    if (this.#room.isFull) return { content: undefined, isTooLarge: true };
    const blocks = Object.fromEntries(this.#blocks);
    const thoughts = [...this.#thoughts].map(([name, texts]) => [name, texts.join('')] as const);
    // The details of OpenRouter hold the same thought, so it goes back once.
    const needed = thoughts.filter(([name]) => name !== 'reasoning' || blocks['reasoning_details'] === undefined);
    const message = { ...Object.fromEntries(needed), ...blocks, ...this.#signatures };
    const isEmpty = Object.keys(message).length === 0 && calls.every((call) => call === undefined);
    const content = { message, calls: calls.map((call) => call ?? null) } satisfies WireExtras;
    return { content: isEmpty ? undefined : content, isTooLarge: false };
  }

  #addThought(name: string, text: string | undefined): void {
    if (text === undefined || !this.#room.takes(byteLength(text))) return;
    const texts = this.#thoughts.get(name);
    if (texts === undefined) this.#thoughts.set(name, [text]);
    else texts.push(text);
  }

  #addBlock(name: string, block: Fields | undefined): void {
    if (block === undefined || !this.#room.takesJson(block)) return;
    const blocks = this.#blocks.get(name) ?? [];
    this.#blocks.set(name, blocks);
    const at = blocks.findLastIndex((known) => continues(known, block));
    const known = blocks[at];
    if (known !== undefined) blocks[at] = joinedBlock(known, block);
    else if (this.#room.takes(bytesOfBlock)) blocks.push(block);
  }
}

/** Many servers send a member with each piece, most of them empty. */
function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

/** Whether a piece belongs to a block: to that with its index, else to the one before it until that is signed. */
function continues(known: Fields, piece: Fields): boolean {
  if (known['type'] !== piece['type']) return false;
  if (piece['index'] !== undefined) return known['index'] === piece['index'];
  return textOf(known['signature']) === undefined && textOf(known['data']) === undefined;
}

function joinedBlock(known: Fields, piece: Fields): Fields {
  const joined: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(piece)) {
    const before = known[name];
    if (pieces.has(name) && typeof before === 'string' && typeof value === 'string') joined[name] = before + value;
    else if (value !== null && value !== '') joined[name] = value;
  }
  return joined;
}
