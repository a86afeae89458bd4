import type { FastifyPluginCallback } from 'fastify';
import { admitRequests } from '../shared/admit-requests.ts';
import { requireJson } from '../shared/require-json.ts';
import { chatWire } from './chat-wire.ts';
import { answerInOpenAiShape, errorBody, type OpenAiError, UnsupportedMember } from './openai-fault.ts';
import {
  type ChatCompletionBody,
  chatCompletionSchema,
  modelSchema,
  modelsSchema,
  type ResponsesBody,
  responsesSchema,
} from './openai-schemas.ts';
import { readAsked } from './read-asked.ts';
import { Replies, type RepliesOptions } from './replies.ts';
import { noEarlierResponse, responsesWire } from './responses-wire.ts';

export interface OpenAiChannelOptions extends RepliesOptions {
  /** `server.basePath` with `/v1`. */
  readonly path: string;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
}

/** The one model that is listed. */
const modelName = 'helper';

/** `/v1`: the assistant for clients of the OpenAI API (contract/openai.md). Each request is a conversation of its own. */
export const openAiChannel: FastifyPluginCallback<OpenAiChannelOptions> = (app, options, done) => {
  const { path, admission } = options;
  const replies = new Replies(options);
  const begunAt = Math.floor(Date.now() / 1000);
  answerInOpenAiShape(app);
  admitRequests(app, admission);
  app.get(`${path}/models`, { schema: modelsSchema(admission) }, () => ({ object: 'list', data: [modelAt(begunAt)] }));
  app.get<{ Params: { readonly model: string } }>(
    `${path}/models/:model`,
    { schema: modelSchema(admission) },
    (request, reply) => {
      const { model } = request.params;
      return model === modelName ? modelAt(begunAt) : reply.code(404).send(unknownModel(model));
    },
  );
  app.post<{ Body: ChatCompletionBody }>(
    `${path}/chat/completions`,
    { schema: chatCompletionSchema(admission), bodyLimit: options.bodyLimit, onRequest: requireJson },
    (request, reply) => {
      const { body } = request;
      refuseUnserved(body);
      const includesUsage = body.stream_options?.include_usage === true;
      return replies.answer(request, reply, {
        asked: readAsked(body.messages, 'messages'),
        isStreamed: body.stream === true,
        wireOf: (written) => chatWire(written, { includesUsage }),
        model: body.model,
      });
    },
  );
  app.post<{ Body: ResponsesBody }>(
    `${path}/responses`,
    { schema: responsesSchema(admission), bodyLimit: options.bodyLimit, onRequest: requireJson },
    (request, reply) => {
      const { body } = request;
      const { input } = body;
      if (typeof body.previous_response_id === 'string') return reply.code(400).send(noEarlierResponse);
      refuseUnservedResponse(body);
      return replies.answer(request, reply, {
        asked: readAsked(typeof input === 'string' ? [{ role: 'user', content: input }] : input, 'input'),
        isStreamed: body.stream === true,
        wireOf: responsesWire,
        model: body.model,
      });
    },
  );
  done();
};

function unknownModel(model: string): OpenAiError {
  const message = `There is no model "${model}" here, only "${modelName}".`;
  return errorBody(404, { code: 'model_not_found', message, param: 'model' });
}

function modelAt(created: number): object {
  return { id: modelName, object: 'model', created, owned_by: 'helper' };
}

/** @throws UnsupportedMember for what would be answered otherwise than the client means. */
function refuseUnserved({ n, tools, functions, response_format: format }: ChatCompletionBody): void {
  if (typeof n === 'number' && n !== 1) throw new UnsupportedMember('n', 'Only one choice is made.');
  refuseTools('tools', tools);
  refuseTools('functions', functions);
  refuseFormat('response_format', format?.type);
}

function refuseUnservedResponse({ tools, conversation, background, text }: ResponsesBody): void {
  refuseTools('tools', tools);
  refuseFormat('text.format', text?.format?.type);
  if (conversation !== undefined && conversation !== null)
    throw new UnsupportedMember('conversation', 'Nothing is kept between two requests.');
  if (background === true) throw new UnsupportedMember('background', 'A response is made while its request is open.');
}

function refuseTools(member: string, tools: readonly unknown[] | null | undefined): void {
  if (tools !== undefined && tools !== null && tools.length > 0)
    throw new UnsupportedMember(member, 'The assistant uses the tools of its own server, and takes none of a client.');
}

function refuseFormat(member: string, type: string | undefined): void {
  if (type !== undefined && type !== 'text') throw new UnsupportedMember(member, 'Replies are plain text.');
}
