import { randomId } from '../../core/base/random-id.ts';
import type { ModelToolCall } from '../../core/ports/chat-model.ts';
import { InterruptedReply } from './interrupted-reply.ts';
import { objectOf, parsedJson } from './json-values.ts';

/** The most calls in one reply. With more of them, the model has lost its way. */
const maxCalls = 128;

/** A piece of a tool call as a provider streams it. Every part may be missing. */
export interface ToolCallFragment {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  /** What the provider wants back with the call. */
  readonly extras?: Readonly<Record<string, unknown>> | undefined;
}

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extras: ToolCallFragment['extras'];
}

/**
 * Joins the pieces of parallel tool calls. The documented form has an index on each piece, and id and name on the first one. Real servers
 * also send whole calls without an index, one index for several calls, and repeated names; all these are accepted.
 */
export class ToolCallAssembler {
  readonly #calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** How many calls have begun. */
  get count(): number {
    return this.#calls.length;
  }

  /** @throws InterruptedReply for more calls than any reply has. */
  add(fragment: ToolCallFragment): void {
    const call = this.#find(fragment) ?? this.#open(fragment);
    call.id ??= fragment.id;
    if (fragment.name !== undefined && fragment.name !== call.name) call.name += fragment.name;
    call.arguments += fragment.arguments ?? '';
    if (fragment.extras !== undefined) call.extras = { ...call.extras, ...fragment.extras };
  }

  /** The calls in the order in which they began. A call without an id gets one. A call without a name is left out. */
  calls(): readonly ModelToolCall[] {
    return this.#named().map(({ id, name, arguments: text }) => ({
      id: id ?? `call_${randomId()}`,
      name,
      arguments: text,
    }));
  }

  /** What the provider wants back with each of `calls`. */
  extras(): readonly ToolCallFragment['extras'][] {
    return this.#named().map(({ extras }) => extras);
  }

  #named(): readonly OpenCall[] {
    return this.#calls.filter(({ name }) => name !== '');
  }

  #find(fragment: ToolCallFragment): OpenCall | undefined {
    if (fragment.index === undefined) return this.#findWithoutIndex(fragment);
    const call = this.#calls.findLast(({ index }) => index === fragment.index);
    return call === undefined || beginsAnother(call, fragment) ? undefined : call;
  }

  #findWithoutIndex(fragment: ToolCallFragment): OpenCall | undefined {
    if (fragment.id !== undefined) {
      const call = this.#calls.findLast(({ id }) => id === fragment.id);
      return call === undefined || beginsAnother(call, fragment) ? undefined : call;
    }
    return fragment.name === undefined ? this.#calls.at(-1) : undefined;
  }

  #open(fragment: ToolCallFragment): OpenCall {
    if (this.#calls.length === maxCalls) {
      const message = `the model made more than ${String(maxCalls)} tool calls in one reply`;
      throw new InterruptedReply('model_unavailable', message);
    }
    const call: OpenCall = { index: fragment.index, id: undefined, name: '', arguments: '', extras: undefined };
    this.#calls.push(call);
    return call;
  }
}

/**
 * A new id alone may be noise, since some servers make one for each piece. A new id with a name begins a new call.
 * With the same id or without ids, a name with the beginning of arguments begins a new call when the call before it is whole.
 */
function beginsAnother(call: OpenCall, fragment: ToolCallFragment): boolean {
  if (fragment.name === undefined) return false;
  if (fragment.id !== undefined && call.id !== undefined && fragment.id !== call.id) return true;
  return (
    (fragment.arguments?.trimStart().startsWith('{') ?? false) && objectOf(parsedJson(call.arguments)) !== undefined
  );
}
