import { setTimeout as wait } from 'node:timers/promises';
import { RawHubClient } from '../../hub-raw-client.ts';
import { clock } from '../clock.ts';
import { type KeptStep, type KeptUser, keptUsers } from './kept-plan.ts';
import { type Change, type KeptEvent, marksIn } from './kept-record.ts';
import { conversationsOf, factsOf, ProcessGone, request } from './kept-requests.ts';
import type { KeptWorld } from './kept-world.ts';

const targets = {
  forget: { path: '/helper/memory?id=', method: 'DELETE' },
  correct: { path: '/helper/memory?id=', method: 'PATCH' },
  delete: { path: '/helper/conversations/', method: 'DELETE' },
  'forget all': { path: '/helper/memory', method: 'DELETE' },
  erase: { path: '/helper/user-data', method: 'DELETE' },
} as const;

/** Milliseconds within which a process that was killed is gone. */
const endsWithinMs = 5_000;

/** A user on a hub connection, who does one thing at a time. Everything that the user does and sees is recorded. */
export class KeptPerson {
  readonly #world: KeptWorld;
  readonly #user: KeptUser;
  readonly #events: KeptEvent[];
  #hub: RawHubClient | undefined;
  #calls = 0;

  constructor(world: KeptWorld, user: KeptUser) {
    this.#world = world;
    this.#user = user;
    this.#events = world.record.users[user];
  }

  /** Looks at facts and conversations, and then takes the planned steps. Resolves when the steps are done or the process has ended. */
  async live(steps: readonly KeptStep[]): Promise<void> {
    try {
      await this.connect();
      await this.look();
      for (const [index, step] of steps.entries()) await this.#do(step, index);
    } catch (error) {
      if (!(error instanceof ProcessGone)) throw error;
      const patience = wait(endsWithinMs, undefined, { ref: false });
      await Promise.race([this.#world.server?.ended, patience]);
      if (this.#world.server?.hasEnded !== true) this.#world.trouble(`${error.message}, and the process goes on`);
    } finally {
      this.close();
    }
  }

  async connect(): Promise<void> {
    this.#hub = await reached(
      RawHubClient.connect(`${this.#world.url}/helper-hub`, { headers: this.#world.headers(this.#user) }),
    );
  }

  close(): void {
    const faults = this.#hub?.faults ?? [];
    if (faults.length > 0) this.#world.trouble(`the hub broke the wire: ${faults.join('; ')}`);
    this.#hub?.socket.terminate();
  }

  /** @throws ProcessGone when there is no answer. */
  async look(): Promise<void> {
    const facts = await factsOf(this.#world, this.#user);
    this.#events.push({ kind: 'saw facts', facts, at: clock() });
    const conversations = await conversationsOf(this.#world, this.#user);
    this.#events.push({ kind: 'saw conversations', conversations, at: clock() });
  }

  /**
   * Sends a message, and waits until the server tells the end of its turn.
   * @throws ProcessGone when there is no answer.
   */
  async say(words: string, { index, tells }: { readonly index: number; readonly tells: boolean }): Promise<void> {
    const { moments, life } = this.#world;
    const place = `${life}q${keptUsers.indexOf(this.#user)}q${index}`;
    const event: KeptEvent & { readonly kind: 'said' } = {
      ...{ kind: 'said', turn: `turn${place}`, sentAt: clock() },
      ...(tells ? { fact: `fact${place}` } : {}),
    };
    this.#events.push(event);
    this.#call('SendMessage', `This is turn${place}. ${words}${tells ? ` Remember ${place}.` : ''}`);
    moments.note('a message is sent');
    const { conversationId } = await this.#told('TurnStarted');
    event.conversation = String(conversationId);
    const { status } = await this.#told('TurnCompleted');
    event.status = String(status);
    moments.note('a turn is told');
  }

  async #do(step: KeptStep, index: number): Promise<void> {
    switch (step.kind) {
      case 'say': {
        const asked = step.asksAbout === undefined ? '' : `What does page ${step.asksAbout} say?`;
        await this.say(asked, { index, tells: step.tells });
        return;
      }
      case 'begin anew':
        await this.#answered(this.#call('NewConversation'));
        return;
      case 'go back':
        await this.#goBack(step.which);
        return;
      case 'forget all':
      case 'erase':
        await this.#change({ what: step.kind });
        return;
      case 'forget':
      case 'correct':
        await this.#changeFact(step.kind, step.which, index);
        return;
      case 'delete':
        await this.#delete(step.which);
        return;
    }
  }

  async #goBack(which: number): Promise<void> {
    const all = await conversationsOf(this.#world, this.#user);
    const chosen = all[which % Math.max(1, all.length)];
    if (chosen !== undefined) await this.#answered(this.#call('OpenConversation', chosen.id));
  }

  async #changeFact(what: 'forget' | 'correct', which: number, index: number): Promise<void> {
    const facts = await factsOf(this.#world, this.#user);
    this.#events.push({ kind: 'saw facts', facts, at: clock() });
    const chosen = facts[which % Math.max(1, facts.length)];
    if (chosen === undefined) return;
    const { id, text } = chosen;
    const comes = `edit${this.#world.life}q${keptUsers.indexOf(this.#user)}q${index}`;
    await this.#change({ what, id, gone: marksIn(text), ...(what === 'correct' ? { comes } : {}) });
  }

  async #delete(which: number): Promise<void> {
    const conversations = await conversationsOf(this.#world, this.#user);
    this.#events.push({ kind: 'saw conversations', conversations, at: clock() });
    const chosen = conversations[which % Math.max(1, conversations.length)];
    if (chosen === undefined) return;
    const gone = chosen.messages.filter(({ role }) => role === 'user').flatMap(({ text }) => marksIn(text));
    await this.#change({ what: 'delete', id: chosen.id, gone });
  }

  /** Sends a change, and then looks at its effect. */
  async #change(change: Change): Promise<void> {
    const { moments } = this.#world;
    const event: KeptEvent & { readonly kind: 'changed' } = { kind: 'changed', change, sentAt: clock() };
    this.#events.push(event);
    const { path, method } = targets[change.what];
    const answer = request(this.#world, this.#user, {
      path: 'id' in change ? `${path}${encodeURIComponent(change.id)}` : path,
      method,
      ...('comes' in change ? { body: { text: `Says ${change.comes}.` } } : {}),
    });
    moments.note('a change is sent');
    event.status = (await answer).status;
    event.answeredAt = clock();
    moments.note('a change is answered');
    await this.look();
  }

  #call(target: string, ...given: readonly unknown[]): string {
    this.#calls += 1;
    this.#hub?.call(target, String(this.#calls), ...given);
    return String(this.#calls);
  }

  async #answered(id: string): Promise<void> {
    const result = await reached(this.#hub?.result(id));
    if (typeof result === 'object' && result !== null && 'error' in result) {
      this.#world.trouble(`the hub answered ${JSON.stringify(result)}`);
    }
  }

  #told(event: string): Promise<Readonly<Record<string, unknown>>> {
    return reached(this.#hub?.event(event));
  }
}

/**
 * A line that cannot be used means that the process has ended.
 * @throws ProcessGone in this case.
 */
async function reached<Result>(line: Promise<Result> | undefined): Promise<Result> {
  if (line === undefined) throw new ProcessGone('no line');
  try {
    return await line;
  } catch (cause) {
    throw new ProcessGone('the line is gone', { cause });
  }
}
