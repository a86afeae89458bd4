import type { ModelRequest, ToolDeclaration } from '../../../core/ports/chat-model.ts';
import { hasExtras } from '../../../core/history/message-extras.ts';
import { MessageWriter } from './message-writer.ts';
import type { MissingMember } from './refusal.ts';
import { extraMembers } from './reply-extras.ts';
import { functionTool } from '../tools/function-tool.ts';

/** The parts of a request that go into its body. */
type RequestContent = Pick<
  ModelRequest,
  'instructions' | 'messages' | 'tools' | 'toolChoice' | 'temperature' | 'format'
>;

/** Fields of the server itself that some servers do not know. Such a server names the field when it refuses the request. */
const ownFields = ['stream_options', 'temperature', 'response_format'] as const;
/** Two names for the limit of a reply. A server that does not know one of them may know the other. */
const lengthFields: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

const reservedFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'tools', 'n']);

/** What is written in another way because the provider refuses or misses it. */
export type BodyChange =
  /** `own`: a field of the server itself. `configured`: one of the configuration. `extra`: a member of the messages. */
  { readonly leavesOut: string; readonly from: 'own' | 'configured' | 'extra' } | { readonly fillsIn: MissingMember };

/** What a writer has from the one before it. */
interface WriterParts {
  readonly messages: MessageWriter;
  readonly leftOut: ReadonlySet<string>;
  /** Those of the configuration among the fields that are left out, in order. */
  readonly dropped: readonly string[];
  readonly toolsJson: WeakMap<readonly ToolDeclaration[], string>;
}

/**
 * Writes request bodies. The parts that stay the same from call to call are serialised once: the fixed fields, the instructions, the tools
 * and each message of the history. So a long conversation costs one join for each call. A writer never changes: what a request has learned
 * from a refusal is a writer of its own until all are to go by it.
 */
export class RequestBodyWriter {
  /** The fields of the configuration, and those that are sent. */
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #model: string;
  /** The fields that can be left out. */
  readonly optionalFields: readonly string[];
  readonly #head: string;
  readonly #exactHead: string;
  readonly #toolsJson: WeakMap<readonly ToolDeclaration[], string>;
  readonly #messages: MessageWriter;
  #instructions: { readonly text: string; readonly json: string } = { text: '', json: '' };
  readonly #leftOut: ReadonlySet<string>;
  readonly #dropped: readonly string[];

  /** @throws Error when `extraFields` holds a field that the server sets itself. */
  constructor(
    fields: { readonly model: string; readonly extraFields: Readonly<Record<string, unknown>> },
    { messages, leftOut, dropped, toolsJson }: WriterParts = nothingLearned(),
  ) {
    const taken = Object.keys(fields.extraFields).find((name) => reservedFields.has(name));
    if (taken !== undefined) throw new Error(`options.${taken} is set by the server itself: leave it out`);
    this.#model = fields.model;
    this.#given = fields.extraFields;
    this.#toolsJson = toolsJson;
    this.#messages = messages;
    this.#leftOut = leftOut;
    this.#dropped = dropped;
    this.#fields = this.#dropped.reduce((left, field) => this.#without(left, field), this.#given);
    const all = { ...this.#fields, model: this.#model, stream: true };
    this.#head = openObject(all);
    this.#exactHead = openObject({ ...all, temperature: 0 });
    this.optionalFields = [...new Set([...ownFields, ...Object.keys(this.#fields), ...extraMembers])];
  }

  /**
   * What a refusal of `field` asks for, after a request that this writer has written. Undefined when the request did not have the field. The
   * limit of a reply is sent under its other name first.
   */
  leavingOut(
    field: string,
    request: Pick<ModelRequest, 'messages' | 'temperature' | 'format'>,
  ): BodyChange | undefined {
    const isAsked =
      field === 'stream_options' ||
      (field === 'temperature' && request.temperature === 0) ||
      (field === 'response_format' && request.format === 'json');
    // A provider may take the configured temperature and refuse only 0.
    if (isAsked && !this.#leftOut.has(field)) return { leavesOut: field, from: 'own' };
    if (Object.hasOwn(this.#fields, field)) return { leavesOut: field, from: 'configured' };
    const isInMessages = extraMembers.includes(field) && request.messages.some(hasExtras);
    return isInMessages && this.#messages.writes(field) ? { leavesOut: field, from: 'extra' } : undefined;
  }

  /** What a refusal asks for that misses `member` in the messages. Undefined when the messages had it. */
  fillingIn(member: MissingMember): BodyChange | undefined {
    return this.#messages.fills(member) ? undefined : { fillsIn: member };
  }

  /** A writer that differs by this change. The same one where it makes the change already. */
  with(change: BodyChange): RequestBodyWriter {
    const messages = this.#messagesAfter(change);
    const leftOut = this.#leftOutAfter(change);
    const dropped = this.#droppedAfter(change);
    if (messages === this.#messages && leftOut === this.#leftOut && dropped === this.#dropped) return this;
    const toolsJson = this.#toolsJson;
    return new RequestBodyWriter(
      { model: this.#model, extraFields: this.#given },
      { messages, leftOut, dropped, toolsJson },
    );
  }

  #messagesAfter(change: BodyChange): MessageWriter {
    if ('fillsIn' in change) return this.#messages.filledWith(change.fillsIn);
    return change.from === 'extra' ? this.#messages.without(change.leavesOut) : this.#messages;
  }

  #leftOutAfter(change: BodyChange): ReadonlySet<string> {
    if ('fillsIn' in change || change.from === 'extra' || this.#leftOut.has(change.leavesOut)) return this.#leftOut;
    return new Set([...this.#leftOut, change.leavesOut]);
  }

  #droppedAfter(change: BodyChange): readonly string[] {
    if ('fillsIn' in change || change.from !== 'configured') return this.#dropped;
    return this.#dropped.includes(change.leavesOut) ? this.#dropped : [...this.#dropped, change.leavesOut];
  }

  #without(fields: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
    if (!Object.hasOwn(fields, field)) return fields;
    const { [field]: value, ...rest } = fields;
    const other = lengthFields[field];
    const isRenamed = other !== undefined && !this.#leftOut.has(other) && !Object.hasOwn(rest, other);
    return isRenamed ? { ...rest, [other]: value } : rest;
  }

  /** Tools and messages are cached by their identity. */
  write(request: RequestContent): string {
    const isExact = request.temperature === 0 && !this.#leftOut.has('temperature');
    const parts = [isExact ? this.#exactHead : this.#head];
    if (!this.#leftOut.has('stream_options')) parts.push(',"stream_options":{"include_usage":true}');
    if (request.format === 'json' && !this.#leftOut.has('response_format'))
      parts.push(',"response_format":{"type":"json_object"}');
    if (request.tools.length > 0) {
      parts.push(',"tools":', this.#tools(request.tools));
      if (request.toolChoice !== 'auto') parts.push(`,"tool_choice":"${request.toolChoice}"`);
    }
    const messages = request.messages.map((message) => this.#messages.write(message));
    if (request.instructions !== '') messages.unshift(this.#system(request.instructions));
    parts.push(',"messages":[', messages.join(','), ']}');
    return parts.join('');
  }

  #tools(tools: readonly ToolDeclaration[]): string {
    const known = this.#toolsJson.get(tools);
    if (known !== undefined) return known;
    const json = JSON.stringify(tools.map(functionTool));
    this.#toolsJson.set(tools, json);
    return json;
  }

  #system(text: string): string {
    if (this.#instructions.text !== text) {
      this.#instructions = { text, json: JSON.stringify({ role: 'system', content: text }) };
    }
    return this.#instructions.json;
  }
}

/** An object as JSON that more fields can follow. */
function openObject(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields).slice(0, -1);
}

function nothingLearned(): WriterParts {
  return { messages: new MessageWriter(), leftOut: new Set(), dropped: [], toolsJson: new WeakMap() };
}
