import type { LedgerLine } from '../ledger.ts';
import type { Fields, Told, ToldAnswer, ToldEvent, ToldLife, ToldQuestion } from '../told.ts';

/** A fact that was told to somebody, with the place and the time. */
export interface Statement {
  readonly says: string;
  readonly where: string;
  readonly at: number;
}

/** Looks up in everything that was told what the rules need. */
export class Facts {
  readonly told: Told;
  readonly #answersOf = new Map<string, ToldAnswer[]>();
  readonly #eventsOf = new Map<string, ToldEvent[]>();
  readonly #runsOf = new Map<string, LedgerLine[]>();

  constructor(told: Told) {
    this.told = told;
    for (const answer of told.answers) append(this.#answersOf, answer.of, answer);
    for (const { turnId, events } of told.readings) for (const event of events) append(this.#eventsOf, turnId, event);
    for (const line of told.ledger) if (line.what === 'began') append(this.#runsOf, line.id, line);
  }

  answersTo(of: string): readonly ToldAnswer[] {
    return this.#answersOf.get(of) ?? [];
  }

  eventsOf(turnId: string): readonly ToldEvent[] {
    return this.#eventsOf.get(turnId) ?? [];
  }

  /** Each time that the call began to change something. */
  runsOf(id: string): readonly LedgerLine[] {
    return this.#runsOf.get(id) ?? [];
  }

  hasEnded(id: string): boolean {
    return this.told.ledger.some((line) => line.id === id && line.what === 'ended');
  }

  /** The lives from the given one to the last one, which concludes the plan. */
  livesFrom(life: number): readonly ToldLife[] {
    return this.told.lives.slice(life);
  }

  /** Whether the turn was stored in a folder that was deleted. */
  isLost(life: number): boolean {
    return this.livesFrom(life).some(({ disturbance }) => disturbance === 'lost');
  }

  /** Whether a disk failed in the life in which the turn began, or later. */
  isDisturbed(life: number): boolean {
    return this.livesFrom(life).some(({ disturbance }) => disturbance === 'disk' || disturbance === 'lost');
  }

  stopsOf(turnId: string): readonly ToldAnswer[] {
    return this.answersTo(turnId).filter(({ what }) => what === 'stop');
  }

  /** When the turn's user was told of its stop. Undefined when nobody was told. */
  stoppedAt(turnId: string): number | undefined {
    const stops = this.stopsOf(turnId).filter(({ status, body }) => status === 200 && body?.['stopped'] === true);
    return stops.length === 0 ? undefined : Math.min(...stops.map(({ answeredAt = Infinity }) => answeredAt));
  }

  /** Every outcome of the question that anybody was told. `open` is no outcome. */
  outcomesOf({ actionId, turnId, call }: ToldQuestion): readonly Statement[] {
    const resolved = this.eventsOf(turnId).flatMap(({ name, fields, at }) =>
      name === 'ConfirmationResolved' && fields['actionId'] === actionId
        ? [{ says: String(fields['outcome']), where: name, at }]
        : [],
    );
    const answered = this.answersTo(actionId).flatMap(({ what, status, body, answeredAt = 0 }) => {
      const outcome = body?.['outcome'];
      if (typeof outcome !== 'string' || outcome === 'open') return [];
      return [{ says: outcome, where: `the answer ${String(status)} to ${what}`, at: answeredAt }];
    });
    const ran = this.runsOf(call.id).map(({ at }) => ({ says: 'approved', where: 'that the action ran', at }));
    return [...resolved, ...answered, ...ran];
  }

  /** Every status of the call that anybody was told, including its model. */
  statusesOf({ actionId, callId, turnId, call }: ToldQuestion): readonly Statement[] {
    const answered = this.answersTo(actionId).flatMap(({ body, what, answeredAt = 0 }) => {
      const action = body?.['action'] as Fields | undefined;
      return action === undefined
        ? []
        : [{ says: String(action['status']), where: `the answer to ${what}`, at: answeredAt }];
    });
    const models = this.told.models.flatMap(({ id, status, at }) =>
      id === call.id ? [{ says: status, where: 'what the model was told', at }] : [],
    );
    return [...this.completionsOf(turnId, callId), ...answered, ...models];
  }

  /** The statuses of a call in ActionCompleted and in receipts. */
  completionsOf(turnId: string, callId: string): readonly Statement[] {
    return this.eventsOf(turnId).flatMap(({ name, fields, at }) => {
      if (name === 'ActionCompleted' && fields['callId'] === callId) {
        return [{ says: String(fields['status']), where: name, at }];
      }
      const receipts = name === 'TurnCompleted' ? ((fields['receipts'] ?? []) as readonly Fields[]) : [];
      return receipts
        .filter((receipt) => receipt['callId'] === callId)
        .map((receipt) => ({ says: String(receipt['status']), where: 'a receipt', at }));
    });
  }
}

/** Joins different statements as `this and that`, each with the place where it was told. Undefined when they agree. */
export function contradiction(statements: readonly Statement[]): string | undefined {
  const firsts = new Map<string, Statement>();
  for (const statement of [...statements].sort((left, right) => left.at - right.at)) {
    if (!firsts.has(statement.says)) firsts.set(statement.says, statement);
  }
  if (firsts.size < 2) return undefined;
  return [...firsts.values()].map(({ says, where }) => `${says} (${where})`).join(', then ');
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
