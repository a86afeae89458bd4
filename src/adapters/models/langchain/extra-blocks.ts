import type { ChatMessage, ModelReply, ModelToolCall } from '../../../core/ports/chat-model.ts';
import { argumentsObject, listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import { ExtrasRoom, type ReadExtras } from '../own-extras.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';

type Fields = Readonly<Record<string, unknown>>;
type AssistantMessage = Extract<ChatMessage, { readonly role: 'assistant' }>;

/** Where `@langchain/google-genai` keeps the signatures of calls, by the ids of the calls. */
const signaturesKey = '__gemini_function_call_thought_signatures__';

/** The kinds of blocks that hold a thought, and the member with its text: of Claude, and of Claude at Amazon. */
const textMembers: Readonly<Record<string, string>> = {
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  reasoning: 'reasoning',
  reasoning_content: 'reasoning',
};

/** What can be read of a thought in a block of the content. Undefined where it is sealed, and in a block of another kind. */
export function thoughtIn(block: Fields | undefined): string | undefined {
  const type = textOf(block?.['type']) ?? '';
  if (block === undefined || !Object.hasOwn(textMembers, type)) return undefined;
  return textOf(block[textMembers[type] ?? '']);
}

/** The most blocks. With more of them, nothing is kept. */
const maxBlocks = 1000;

/** A block of thought, and how much of the reply stands before it. */
interface PlacedBlock {
  readonly block: Fields;
  /** Characters of the text. */
  readonly text: number;
  readonly calls: number;
}

/** The extras of a reply in the form of LangChain's packages. */
interface LangChainExtras {
  /** The thoughts of Claude. */
  readonly blocks?: readonly PlacedBlock[];
  /** Signatures of Google by the place of the call; null for a call without one. */
  readonly signatures?: readonly (string | null)[];
  /** Whether the package wants the signatures as a list of all parts. */
  readonly isListed?: boolean;
  /** The output of the Responses API. */
  readonly items?: readonly Fields[];
}

/** Collects from LangChain's chunks what a provider may want back with a reply. */
export class ExtraBlocks {
  readonly #room: ExtrasRoom;
  readonly #blocks: { block: Fields; readonly text: number; readonly calls: number }[] = [];
  readonly #signatures = new Map<string, string>();
  #isListed = false;
  #items: readonly Fields[] = [];

  constructor(meter: ReplyMeter) {
    this.#room = new ExtrasRoom(meter);
  }

  /** Reads a block of the content. `place`: what stands before it. */
  addBlock(block: unknown, place: { readonly text: number; readonly calls: number }): void {
    if (!Object.hasOwn(textMembers, textOf(objectOf(block)?.['type']) ?? '')) return;
    if (this.#blocks.length > maxBlocks || !this.#room.takesJson(block)) return;
    // A record holds JSON, and a package may write members without a value.
    const fields = objectOf(parsedJson(JSON.stringify(block))) ?? {};
    const known = this.#blocks.at(-1);
    if (known === undefined || !isPieceOf(known.block, fields)) this.#blocks.push({ block: fields, ...place });
    else known.block = joined(known.block, fields);
  }

  /** Reads what stands beside the content of a chunk. */
  addChunk({ additional_kwargs: further, response_metadata: metadata, tool_call_chunks: calls }: Fields): void {
    const signatures = objectOf(further)?.[signaturesKey];
    for (const [id, signature] of Object.entries(objectOf(signatures) ?? {})) this.#addSignature(id, signature);
    this.#addListed(listOf(objectOf(further)?.['signatures']), listOf(calls));
    const output = listOf(objectOf(metadata)?.['output']);
    if (output.length > 0) this.#addOutput(output, objectOf(metadata)?.['store'] === false);
  }

  /** The extras of a reply with these calls, whose ids are those of the provider. */
  read({ toolCalls }: Pick<ModelReply, 'toolCalls'>): ReadExtras {
    if (this.#room.isFull || this.#blocks.length > maxBlocks) return { content: undefined, isTooLarge: true };
    const signatures = toolCalls.map(({ id }) => this.#signatures.get(id) ?? null);
    // Nobody takes a thought back that is not signed.
    const blocks = this.#blocks.filter(({ block }) => isSigned(block));
    const content = {
      ...(blocks.length === 0 ? {} : { blocks }),
      ...(signatures.every((one) => one === null) ? {} : { signatures, isListed: this.#isListed }),
      ...(this.#items.length === 0 ? {} : { items: this.#items }),
    };
    return { content: Object.keys(content).length === 0 ? undefined : content, isTooLarge: false };
  }

  /** The packages of Vertex list the signatures of all parts of a chunk. Those of its calls are told by their number. */
  #addListed(signatures: readonly unknown[], calls: readonly unknown[]): void {
    if (signatures.length === 0 || signatures.length !== calls.length) return;
    this.#isListed = true;
    for (const [index, call] of calls.entries()) this.#addSignature(textOf(objectOf(call)?.['id']), signatures[index]);
  }

  #addSignature(id: string | undefined, signature: unknown): void {
    const text = textOf(signature);
    if (id !== undefined && text !== undefined && this.#room.takes(byteLength(text))) this.#signatures.set(id, text);
  }

  /** Output with a thought that is kept by the provider, or comes whole. That of the provider's own tools has a form of its own. */
  #addOutput(output: readonly unknown[], isForgotten: boolean): void {
    const items = output.map((item) => withoutLogprobs(objectOf(item) ?? {}));
    const isPlain = items.every(({ type }) => type === 'reasoning' || type === 'message' || type === 'function_call');
    const thoughts = items.filter(({ type }) => type === 'reasoning');
    const isUsable = thoughts.every((item) => !isForgotten || textOf(item['encrypted_content']) !== undefined);
    if (!isPlain || thoughts.length === 0 || !isUsable) return;
    if (this.#room.takesJson(items)) this.#items = items;
  }
}

/** A reply with its extras, in the form that LangChain's packages take. Undefined where it has none that fit it. */
export function withBlocks(message: AssistantMessage): Fields | undefined {
  // Written by `ExtraBlocks` of this version or an earlier one: the model is the same.
  const extras = (message.extras?.content ?? {}) as LangChainExtras;
  const { blocks = [], signatures = [] } = extras;
  const signed = signatures.length === message.toolCalls.length ? signaturesOf(message, extras) : {};
  if (blocks.length === 0 && Object.keys(signed).length === 0) return undefined;
  return {
    ...(blocks.length === 0 ? {} : { content: placed(blocks, message) }),
    ...(Object.keys(signed).length === 0 ? {} : { additional_kwargs: signed }),
  };
}

/** The signatures of the calls as the packages of Google take them. */
function signaturesOf({ text, toolCalls }: AssistantMessage, { signatures = [], isListed }: LangChainExtras): Fields {
  if (signatures.length === 0) return {};
  if (isListed === true) return { signatures: [...(text === '' ? [] : ['']), ...signatures.map((one) => one ?? '')] };
  const byId = toolCalls.flatMap(({ id }, index) => {
    const signature = signatures[index];
    return typeof signature === 'string' ? [[id, signature] as const] : [];
  });
  return { [signaturesKey]: Object.fromEntries(byId) };
}

/** The output of the Responses API, as long as it says what the message says. */
export function outputOf({ text, toolCalls, extras }: AssistantMessage): readonly Fields[] | undefined {
  const { items } = (extras?.content ?? {}) as LangChainExtras; // as above
  if (items === undefined) return undefined;
  const said = items.flatMap((item) => (item['type'] === 'message' ? textsOf(item) : []));
  const calls = items.filter((item) => item['type'] === 'function_call');
  const isSame = (call: ModelToolCall, item: Fields | undefined): boolean =>
    item?.['name'] === call.name && sameArguments(textOf(item['arguments']) ?? '', call.arguments);
  // Breaks may stand between the items.
  if (said.join('').replaceAll('\n', '') !== text.replaceAll('\n', '')) return undefined;
  if (calls.length !== toolCalls.length || !toolCalls.every((call, index) => isSame(call, calls[index])))
    return undefined;
  return items;
}

/** An item without the figures that some servers add for each token of its text. */
function withoutLogprobs(item: Fields): Fields {
  if (item['type'] !== 'message') return item;
  const content = listOf(item['content']).map((part) => {
    const { logprobs: _, ...rest } = objectOf(part) ?? {};
    return rest;
  });
  return { ...item, content };
}

function sameArguments(written: string, kept: string): boolean {
  return JSON.stringify(argumentsObject(written)) === JSON.stringify(argumentsObject(kept));
}

function textsOf(item: Fields): readonly string[] {
  return listOf(item['content']).flatMap((part) => textOf(objectOf(part)?.['text']) ?? []);
}

/** The text and the blocks in their order. Calls are written out only where a block stands behind one. */
function placed(blocks: readonly PlacedBlock[], { text, toolCalls }: AssistantMessage): readonly object[] {
  const content: object[] = [];
  let [textAt, callsAt] = [0, 0];
  const say = (to: number): void => {
    const piece = text.slice(textAt, to);
    if (piece.trim() !== '') content.push({ type: 'text', text: piece });
    textAt = Math.max(textAt, to);
  };
  for (const { block, text: before, calls } of blocks) {
    say(before);
    // Amazon's package writes all calls behind the blocks.
    if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking')
      for (const { id, name, arguments: written } of toolCalls.slice(callsAt, calls))
        content.push({ type: 'tool_use', id, name, input: argumentsObject(written) });
    callsAt = Math.max(callsAt, calls);
    content.push(block);
  }
  say(text.length);
  return content;
}

/** Whether nobody but the provider could have written a block. */
function isSigned(block: Fields): boolean {
  return ['signature', 'data', 'redactedContent'].some((name) => textOf(block[name]) !== undefined);
}

/** Whether a piece goes on with the block before it. Claude numbers its blocks, and signs them at their end. */
function isPieceOf(known: Fields, piece: Fields): boolean {
  const { type, index } = piece;
  if (known['type'] !== type || (type !== 'thinking' && type !== 'reasoning')) return false;
  return index === undefined ? textOf(known['signature']) === undefined : known['index'] === index;
}

function joined(known: Fields, piece: Fields): Fields {
  const name = textMembers[textOf(known['type']) ?? ''] ?? 'thinking';
  const [before, more] = [textOf(known[name]) ?? '', textOf(piece[name]) ?? ''];
  const signature = (textOf(known['signature']) ?? '') + (textOf(piece['signature']) ?? '');
  return { ...known, [name]: before + more, ...(signature === '' ? {} : { signature }) };
}
