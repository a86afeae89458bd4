import { type ModelScript, sending } from './scripted-model.ts';

/** An event of the Responses API, for a model that plays scripts. */
export type ResponseEvent = Readonly<Record<string, unknown>>;

/** An item of the output of a reply. */
export type OutputItem = ResponseEvent & { readonly type: string; readonly id: string };

/** The bytes of events as the Responses API streams them. */
export function eventBytes(...list: readonly ResponseEvent[]): readonly string[] {
  return list.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Sends these events and then ends the answer. */
export function responseEvents(...list: readonly ResponseEvent[]): ModelScript {
  return sending(...eventBytes(...list));
}

export function created(id: string): ResponseEvent {
  return { type: 'response.created', response: { id, model: 'gpt-scripted' } };
}

export function textDelta(delta: string): ResponseEvent {
  return { type: 'response.output_text.delta', delta, content_index: 0, output_index: 0 };
}

/** The end of a reply that repeats its items, as OpenAI does. */
export function completed(id: string, output: readonly object[] = []): ResponseEvent {
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  return {
    type: 'response.completed',
    response: { id, object: 'response', model: 'gpt-scripted', status: 'completed', output, usage },
  };
}

/** The events of an item without any events between its beginning and its end. */
export function item(added: OutputItem, done: OutputItem = added): readonly ResponseEvent[] {
  return [
    { type: 'response.output_item.added', output_index: 0, item: added },
    { type: 'response.output_item.done', output_index: 0, item: done },
  ];
}

/** A web search from its beginning to its end. */
export function webSearch(id: string, query = 'news'): readonly ResponseEvent[] {
  const call = { id, type: 'web_search_call', action: { type: 'search', query } };
  const of = (what: string): ResponseEvent => ({
    type: `response.web_search_call.${what}`,
    item_id: id,
    output_index: 0,
  });
  const [added = {}, done = {}] = item({ ...call, status: 'in_progress' }, { ...call, status: 'completed' });
  return [added, of('in_progress'), of('searching'), of('completed'), done];
}

/** An annotation of the text so far. */
export function annotation(fields: object): ResponseEvent {
  return { type: 'response.output_text.annotation.added', content_index: 0, output_index: 0, annotation: fields };
}

export function urlCitation(url: string, title: string): ResponseEvent {
  return annotation({ type: 'url_citation', url, title, start_index: 0, end_index: 1 });
}

export function fileCitation(fileId: string, filename: string): ResponseEvent {
  return annotation({ type: 'file_citation', file_id: fileId, filename, index: 0 });
}

/** A request for an approval. */
export function approvalRequest(id: string, tool: string, args: object = {}, server = 'erp'): OutputItem {
  return { id, type: 'mcp_approval_request', server_label: server, name: tool, arguments: JSON.stringify(args) };
}

/** A call that the provider has made. */
export function mcpCall(id: string, tool: string, more: object = {}): OutputItem {
  const call = { id, type: 'mcp_call', server_label: 'erp', name: tool, arguments: '{}', output: 'done', error: null };
  return { ...call, status: 'completed', approval_request_id: null, ...more };
}

/** A whole reply with first the items and then the text. */
export function replyWith(id: string, items: readonly OutputItem[], text = ''): ModelScript {
  const words = text === '' ? [] : [textDelta(text)];
  return responseEvents(created(id), ...items.flatMap((one) => item(one)), ...words, completed(id, items));
}
