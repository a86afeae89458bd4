import { clock } from './clock.ts';
import type { Reaction } from './fault-plan.ts';
import type { Signal } from './moments.ts';
import type { Fields, ToldAnswer, ToldQuestion } from './told.ts';
import { patienceMs } from '../patience-limit.ts';
import type { World } from './world.ts';

const signalsOf: Readonly<Record<ToldAnswer['what'], readonly [Signal, Signal] | undefined>> = {
  approve: ['an approval is sent', 'an approval is answered'],
  decline: ['a decline is sent', 'a decline is answered'],
  stop: ['a stop is sent', 'a stop is answered'],
  look: undefined,
};

/** Reacts to a question as its user does. Resolves when all requests are answered or the process is gone. */
export async function react(world: World, question: ToldQuestion, reaction: Reaction): Promise<void> {
  switch (reaction) {
    case 'approve':
    case 'decline':
      await answer(world, question, reaction);
      return;
    case 'stop':
      await stop(world, question.turnId);
      return;
    case 'approve and decline':
      await Promise.all([answer(world, question, 'approve'), answer(world, question, 'decline')]);
      return;
    case 'approve and stop':
      await Promise.all([answer(world, question, 'approve'), stop(world, question.turnId)]);
      return;
    case 'leave':
      return;
  }
}

/** `POST /helper/approve`. */
export function answer(world: World, question: ToldQuestion, what: 'approve' | 'decline'): Promise<ToldAnswer> {
  const { actionId } = question;
  return ask(world, { what, of: actionId, turnId: question.turnId }, '/helper/approve', {
    actionId,
    approved: what === 'approve',
  });
}

/** `POST /helper/cancel`. */
export function stop(world: World, turnId: string): Promise<ToldAnswer> {
  return ask(world, { what: 'stop', of: turnId, turnId }, '/helper/cancel', { turnId });
}

/** `GET /helper/approve`. */
export function look(world: World, { actionId, turnId }: ToldQuestion): Promise<ToldAnswer> {
  return ask(world, { what: 'look', of: actionId, turnId }, `/helper/approve?actionId=${actionId}`);
}

async function ask(
  world: World,
  { what, of, turnId }: { readonly what: ToldAnswer['what']; readonly of: string; readonly turnId: string },
  path: string,
  body?: object,
): Promise<ToldAnswer> {
  const told: ToldAnswer = { what, of, life: world.life, disk: world.diskState, sentAt: clock() };
  world.told.answers.push(told);
  const { server, moments } = world;
  const user = world.told.turns.find((turn) => turn.turnId === turnId)?.user ?? 'nobody';
  const request = fetch(world.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...world.headers(user) },
    signal: AbortSignal.timeout(patienceMs),
  });
  const signals = signalsOf[what];
  if (signals !== undefined) moments.note(signals[0]);
  // A disk that fails at this signal fails before the request arrives.
  told.disk = world.diskState;
  try {
    const response = await request;
    const text = await response.text();
    told.status = response.status;
    told.body = readBody(text);
    told.answeredAt = clock();
    if (world.diskState !== told.disk) told.disk = 'may fail';
    if (signals !== undefined) moments.note(signals[1]);
  } catch {
    if (server?.hasEnded === false && clock() - told.sentAt > patienceMs * 1000) {
      world.trouble('unavailable', `${what} was not answered within ${patienceMs / 1000} s`);
    }
  }
  return told;
}

function readBody(text: string): Fields {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return {};
  }
}
