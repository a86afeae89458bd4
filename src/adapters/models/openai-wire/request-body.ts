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

/**
 * Writes request bodies. The parts that stay the same from call to call are serialised once: the fixed fields, the instructions, the tools
 * and each message of the history. So a long conversation costs one join for each call.
 */
export class RequestBodyWriter {
  /** The fields of the configuration, and those that are sent. */
  readonly #given: Readonly<Record<string, unknown>>;
  #fields: Readonly<Record<string, unknown>>;
  readonly #model: string;
  #optionalFields: readonly string[] = [];
  #head = '';
  #exactHead = '';
  readonly #toolsJson = new WeakMap<readonly ToolDeclaration[], string>();
  readonly #messages = new MessageWriter();
  #instructions: { readonly text: string; readonly json: string } = { text: '', json: '' };
  readonly #leftOut = new Set<string>();
  /** Those of the configuration among the fields that are left out, in order. */
  #dropped: readonly string[] = [];

  /** @throws Error when `extraFields` holds a field that the server sets itself. */
  constructor(fields: { readonly model: string; readonly extraFields: Readonly<Record<string, unknown>> }) {
    const taken = Object.keys(fields.extraFields).find((name) => reservedFields.has(name));
    if (taken !== undefined) throw new Error(`options.${taken} is set by the server itself: leave it out`);
    this.#model = fields.model;
    this.#given = fields.extraFields;
    this.#fields = fields.extraFields;
    this.#writeHeads();
  }

  /** The fields that can be left out. */
  get optionalFields(): readonly string[] {
    return this.#optionalFields;
  }

  /**
   * Leaves out `field` from now on, because the server refuses it. The limit of a reply is sent under its other name first. Returns false
   * when this request did not have the field.
   */
  leaveOut(field: string, request: Pick<ModelRequest, 'messages' | 'temperature' | 'format'>): boolean {
    const isAsked =
      field === 'stream_options' ||
      (field === 'temperature' && request.temperature === 0) ||
      (field === 'response_format' && request.format === 'json');
    const isOurs = isAsked && !this.#leftOut.has(field);
    if (!isOurs && !Object.hasOwn(this.#fields, field) && extraMembers.includes(field))
      return request.messages.some(hasExtras) && this.#messages.leaveOut(field);
    if (!isOurs && !Object.hasOwn(this.#fields, field)) return false;
    this.#leftOut.add(field);
    // A provider may take the configured temperature and refuse only 0.
    if (!isOurs) this.#drop([...this.#dropped, field]);
    return true;
  }

  /** Sends a field again that was left out in vain. */
  putBack(field: string): void {
    this.#leftOut.delete(field);
    this.#messages.putBack(field);
    if (this.#dropped.includes(field)) this.#drop(this.#dropped.filter((name) => name !== field));
  }

  /** Writes a stand-in for `member` from now on, where messages lack it. Returns false when the messages had it. */
  fillIn(member: MissingMember): boolean {
    return this.#messages.fillIn(member);
  }

  /** Writes no stand-in for `member` any more: it was written in vain. */
  takeOut(member: MissingMember): void {
    this.#messages.takeOut(member);
  }

  /** Leaves out these fields of the configuration, one after the other. */
  #drop(fields: readonly string[]): void {
    this.#dropped = fields;
    this.#fields = fields.reduce((left, field) => this.#without(left, field), this.#given);
    this.#writeHeads();
  }

  #without(fields: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
    if (!Object.hasOwn(fields, field)) return fields;
    const { [field]: value, ...rest } = fields;
    const other = lengthFields[field];
    const isRenamed = other !== undefined && !this.#leftOut.has(other) && !Object.hasOwn(rest, other);
    return isRenamed ? { ...rest, [other]: value } : rest;
  }

  #writeHeads(): void {
    const all = { ...this.#fields, model: this.#model, stream: true };
    this.#head = openObject(all);
    this.#exactHead = openObject({ ...all, temperature: 0 });
    this.#optionalFields = [...new Set([...ownFields, ...Object.keys(this.#fields), ...extraMembers])];
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
