/**
 * The fake model behind every product under test: `POST /v1/chat/completions` of the OpenAI wire on a raw socket, with
 * replies rendered in advance, so that it is several times faster than anything that calls it.
 * Usage: `node upstream.ts --port 9100`.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import type { RenderedReply } from './completion-stream.ts';
import { renderReply, replyHead } from './completion-stream.ts';
import type { ModelRound } from './model-round.ts';
import { roundOf } from './model-round.ts';
import { Pacer } from './pacer.ts';
import type { ReplyPlan } from './reply-plan.ts';
import { replyPlanOf } from './reply-plan.ts';

const headEnd = Buffer.from('\r\n\r\n');
const renderedReplies = new Map<string, RenderedReply>();
const pacers = new Map<number, Pacer>();

function renderedOnce(modelName: string, plan: ReplyPlan, round: ModelRound): RenderedReply {
  const key = `${modelName}:${'tool' in round ? round.tool : String(round.from)}`;
  const known = renderedReplies.get(key);
  if (known !== undefined) return known;
  const rendered = renderReply(plan, round);
  renderedReplies.set(key, rendered);
  return rendered;
}

function pacerOf(delayMs: number): Pacer {
  const known = pacers.get(delayMs);
  if (known !== undefined) return known;
  const pacer = new Pacer(delayMs);
  pacers.set(delayMs, pacer);
  return pacer;
}

function answerJson(socket: Socket, status: string, body: object): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`);
}

/** For products that make a call of their own beside the stream. */
const wholeCompletion = {
  id: 'chatcmpl-whole',
  object: 'chat.completion',
  created: 1_763_700_000,
  model: 'fake-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 },
};

function writePaced(socket: Socket, rendered: RenderedReply, delayMs: number): void {
  let next = 0;
  socket.write(replyHead);
  pacerOf(delayMs).add(() => {
    const part = rendered.parts[next++];
    if (part === undefined || socket.destroyed) return false;
    socket.write(part());
    return next < rendered.parts.length;
  });
}

/** The plan a message asks for, in place of the configured one. */
function askedPlan(body: string): string | undefined {
  return /"content": ?"plan (\w+)"/.exec(body)?.[1];
}

function answer(socket: Socket, body: string): void {
  const modelName = askedPlan(body) ?? /"model": ?"([^"]*)"/.exec(body)?.[1] ?? '';
  const plan = replyPlanOf(modelName);
  if (plan === undefined) {
    answerJson(socket, '404 Not Found', { error: { message: `no such model: ${modelName}`, code: 'model_not_found' } });
    return;
  }
  if (!/"stream": ?true/.test(body)) {
    answerJson(socket, '200 OK', wholeCompletion);
    return;
  }
  const rendered = renderedOnce(modelName, plan, roundOf(plan, body));
  if (plan.delayMs === 0 && rendered.whole !== undefined) socket.write(rendered.whole);
  else writePaced(socket, rendered, Math.max(plan.delayMs, 1));
}

/** Answers each whole request in `received` and returns what is left of the next one. */
function answerRequests(socket: Socket, received: Buffer): Buffer | undefined {
  let rest = received;
  while (rest.length > 0) {
    const headLength = rest.indexOf(headEnd);
    if (headLength < 0) return rest;
    const bodyLength = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, headLength))?.[1] ?? 0);
    const bodyStart = headLength + headEnd.length;
    if (rest.length < bodyStart + bodyLength) return rest;
    answer(socket, rest.toString('utf8', bodyStart, bodyStart + bodyLength));
    rest = rest.subarray(bodyStart + bodyLength);
  }
  return undefined;
}

// Ends with the run that started it, even when that was killed.
process.on('disconnect', () => process.exit(0));

const { values } = parseArgs({ options: { port: { type: 'string' } } });
createServer({ noDelay: true }, (socket) => {
  let pending: Buffer | undefined;
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    pending = answerRequests(socket, pending === undefined ? data : Buffer.concat([pending, data]));
  });
}).listen({ port: Number(values.port), host: '127.0.0.1', backlog: 4096 });
