import { patienceMs } from '../../patience-limit.ts';
import { clock } from '../clock.ts';
import type { KeptUser } from './kept-plan.ts';
import type { SeenConversation, SeenFact } from './kept-record.ts';
import type { KeptWorld } from './kept-world.ts';

/** The process ended before it answered. */
export class ProcessGone extends Error {}

/** An answer over HTTP. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @throws ProcessGone when there is no answer. */
export async function request(
  world: KeptWorld,
  user: KeptUser,
  { path, method = 'GET', body }: { readonly path: string; readonly method?: string; readonly body?: object },
): Promise<Answer> {
  const sentAt = clock();
  try {
    const response = await fetch(world.url + path, {
      method,
      headers: { ...world.headers(user), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch (cause) {
    if (clock() - sentAt > patienceMs * 1000) world.trouble(`${method} ${path} was not answered`);
    throw new ProcessGone('no answer', { cause });
  }
}

/** What is remembered about a user. @throws ProcessGone when there is no answer. */
export async function factsOf(world: KeptWorld, user: KeptUser): Promise<readonly SeenFact[]> {
  const { status, body } = await request(world, user, { path: '/helper/memory' });
  if (status !== 200) world.trouble(`GET /helper/memory was answered ${status}`);
  return (body as { readonly facts?: readonly SeenFact[] }).facts ?? []; // as the contract says
}

/** A user's conversations, each with what was said in it. @throws ProcessGone when there is no answer. */
export async function conversationsOf(world: KeptWorld, user: KeptUser): Promise<readonly SeenConversation[]> {
  const seen: SeenConversation[] = [];
  for (let next: string | undefined = '?limit=100'; next !== undefined;) {
    const { status, body } = await request(world, user, { path: `/helper/conversations${next}` });
    if (status !== 200) world.trouble(`GET /helper/conversations was answered ${status}`);
    const page = body as { readonly conversations?: readonly { readonly id: string }[]; readonly next?: string }; // as the contract says
    for (const { id } of page.conversations ?? []) {
      const one = await request(world, user, { path: `/helper/conversations/${id}` });
      if (one.status !== 200) world.trouble(`GET /helper/conversations/${id} was answered ${one.status}`);
      else seen.push(one.body as SeenConversation); // as the contract says
    }
    next = page.next === undefined ? undefined : `?limit=100&before=${page.next}`;
  }
  return seen;
}
