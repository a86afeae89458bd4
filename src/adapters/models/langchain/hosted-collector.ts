import type { ModelToolCall } from '../../../core/ports/chat-model.ts';
import type {
  HostedCall,
  HostedCitation,
  HostedProgress,
  HostedReply,
  HostedTarget,
} from '../../../core/ports/hosted-tools.ts';
import { hostedName } from '../../../core/tools/hosted-name.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { listOf, objectOf, textOf } from '../json-values.ts';
import { byteLength, type ReplyMeter } from '../reply-limits.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The most calls, and the most approvals. With more of them, the model has lost its way. */
const maxCalls = 64;
/** The most citations. More of them help no reader. */
const maxCitations = 50;
const maxTitleLength = 300;
const maxIdLength = 2000;

const ownTools: Readonly<Record<string, HostedTarget>> = {
  web_search_call: { kind: 'tool', name: 'WebSearch' },
  file_search_call: { kind: 'tool', name: 'FileSearch' },
  code_interpreter_call: { kind: 'tool', name: 'CodeInterpreter' },
};

/** Collects what the provider's own tools do while a reply of the Responses API is read. */
export class HostedCollector {
  readonly #meter: ReplyMeter;
  readonly #report: (progress: HostedProgress) => void;
  readonly #clean: (text: string) => string;
  readonly #begun = new Set<string>();
  readonly #calls = new Map<string, HostedCall>();
  readonly #citations = new Map<string, HostedCitation>();
  readonly #approvals = new Map<string, { readonly call: ModelToolCall; readonly item: Fields }>();
  #output: readonly Fields[] = [];

  /** `clean` removes secrets from what a tool has answered. */
  constructor(options: {
    readonly meter: ReplyMeter;
    readonly report: (progress: HostedProgress) => void;
    readonly clean: (text: string) => string;
  }) {
    this.#meter = options.meter;
    this.#report = options.report;
    this.#clean = options.clean;
  }

  /** Whether the provider has begun a call. After that the request is not sent again. */
  get begun(): boolean {
    return this.#begun.size > 0;
  }

  /** The calls that wait for an approval. */
  get approvals(): readonly ModelToolCall[] {
    return [...this.#approvals.values()].map(({ call }) => call);
  }

  /**
   * Reads what a chunk of LangChain says about the provider's tools.
   * @throws InterruptedReply and ReplyTooLarge when there is too much of it.
   */
  add(chunk: Fields): void {
    const metadata = objectOf(chunk['response_metadata']);
    const progress = objectOf(metadata?.['tool_outputs']);
    if (progress !== undefined) this.began(progress);
    for (const item of listOf(objectOf(chunk['additional_kwargs'])?.['tool_outputs'])) this.#addItem(objectOf(item));
    for (const block of listOf(chunk['content'])) {
      for (const annotation of listOf(objectOf(block)?.['annotations'])) this.#addCitation(objectOf(annotation));
    }
    const output = listOf(metadata?.['output']).filter((item) => objectOf(item) !== undefined) as readonly Fields[]; // objects, by the filter
    if (output.length > 0) this.#output = output;
  }

  /** To be called when the provider has begun an item. */
  began(item: Fields): void {
    const id = textOf(item['id']);
    const target = targetOf(item);
    if (id === undefined || target === undefined || this.#begun.has(id)) return;
    this.#bound(this.#begun.size);
    this.#begun.add(id);
    this.#report({ phase: 'began', id, target });
  }

  /** The parts of the reply that are kept beside its text. */
  reply(): { readonly hosted?: HostedReply; readonly items?: readonly object[] } {
    const [calls, citations] = [[...this.#calls.values()], [...this.#citations.values()]];
    const hosted = calls.length === 0 && citations.length === 0 ? {} : { hosted: { calls, citations } };
    return this.#approvals.size === 0 ? hosted : { ...hosted, items: this.#items() };
  }

  /**
   * The whole output of the reply, which the provider needs to match the answers. A server that does not repeat its output at the end gets
   * only its own requests back.
   */
  #items(): readonly object[] {
    const asked = [...this.#approvals.values()].map(({ item }) => item);
    const isWhole = asked.every(({ id }) => this.#output.some((item) => item['id'] === id));
    return isWhole ? this.#output : asked;
  }

  #addItem(item: Fields | undefined): void {
    if (item === undefined) return;
    this.#meter.keep(byteLength(JSON.stringify(item)));
    if (item['type'] === 'mcp_approval_request') this.#addApproval(item);
    else this.#addCall(item);
  }

  #addCall(item: Fields): void {
    const call = callOf(item, this.#clean);
    if (call === undefined || this.#calls.has(call.id)) return;
    this.began(item);
    this.#calls.set(call.id, call);
    this.#report({ phase: 'ended', call });
  }

  #addApproval(item: Fields): void {
    const [id, server, tool] = [textOf(item['id']), textOf(item['server_label']), textOf(item['name'])];
    if (id === undefined || server === undefined || tool === undefined) return;
    this.#bound(this.#approvals.size);
    const call: ModelToolCall = {
      id,
      name: hostedName({ kind: 'mcp', server, name: tool }),
      arguments: textOf(item['arguments']) ?? '',
      hosted: { id, server, tool },
    };
    this.#approvals.set(id, { call, item });
  }

  #addCitation(annotation: Fields | undefined): void {
    const kind = annotation?.['source'];
    if (annotation === undefined || (kind !== 'url_citation' && kind !== 'file_citation')) return;
    const isWeb = kind === 'url_citation';
    const id = textOf(annotation[isWeb ? 'url' : 'file_id'])?.slice(0, maxIdLength);
    if (id === undefined || this.#citations.has(id) || this.#citations.size === maxCitations) return;
    const title = (textOf(annotation['title']) ?? id).slice(0, maxTitleLength);
    this.#meter.keep(byteLength(id) + byteLength(title));
    this.#citations.set(id, { kind: isWeb ? 'web' : 'file', id, title });
  }

  #bound(count: number): void {
    if (count < maxCalls) return;
    const message = `the provider made more than ${String(maxCalls)} calls of its own in one reply`;
    throw new InterruptedReply('model_unavailable', message);
  }
}

function targetOf(item: Fields): HostedTarget | undefined {
  const type = textOf(item['type']) ?? '';
  if (type !== 'mcp_call') return Object.hasOwn(ownTools, type) ? ownTools[type] : undefined;
  const [server, name] = [textOf(item['server_label']), textOf(item['name'])];
  return server === undefined || name === undefined ? undefined : { kind: 'mcp', server, name };
}

function callOf(item: Fields, clean: (text: string) => string): HostedCall | undefined {
  const [id, target] = [textOf(item['id']), targetOf(item)];
  if (id === undefined || target === undefined) return undefined;
  const fault = item['error'] ?? undefined;
  const isDone = fault === undefined && (item['status'] ?? 'completed') === 'completed';
  const status = isDone ? 'succeeded' : 'failed';
  if (target.kind === 'tool') return { id, target, status };
  const approvalId = textOf(item['approval_request_id']);
  const output = isDone ? item['output'] : (fault ?? item['output']);
  return {
    id,
    target,
    status,
    arguments: textOf(item['arguments']) ?? '',
    output: clean(typeof output === 'string' ? output : JSON.stringify(output ?? '')),
    ...(approvalId === undefined ? {} : { approvalId }),
  };
}
