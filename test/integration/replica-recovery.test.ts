import { describe, expect, it, vi } from 'vitest';
import { hasReplicas, servicesOfFile, startReplicas } from '../support/replicas/replica-processes.ts';

const services = servicesOfFile();

/** What a replica with this id would have in the database while it runs a confirmed action without a turn and a call of a model. */
function held(replica: string): string {
  return `
    insert into confirmation (action_id, call_id, turn_id, conversation_id, action, arguments_hash, arguments, agent, owner, state, answer,
      answered_by, requested_at, answered_at, executing_at, path, replica)
    values ('action of ${replica}', 'call of ${replica}', 'call of ${replica}', '', 'pay', 'f00d', '{}', 'mcp', 'id:ann', 'executing',
      'approved', 'user', 1, 2, 3, 'mcp', '${replica}');
    insert into budget_use (account, spent, held, ends_at) values ('all', 0, 10, 9000000000000)
      on conflict (account) do update set held = budget_use.held + 10;
    insert into budget_hold (id, account, amount, ends_at, replica) values ('call of ${replica}', 'all', 10, 9000000000000, '${replica}')`;
}

describe.skipIf(!hasReplicas)('a replica that is killed (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-80
  it('leaves nothing open for long: another one ends what it has left, and touches nothing else', async () => {
    const shared = await services();
    const { at, database } = await startReplicas(3, shared, { yaml: 'actions: none\n' });
    const query = (sql: string) => shared.postgres.query(database, sql);
    const ids = (await query('select id from replica')).map(({ id }) => String(id));
    expect(ids).toHaveLength(3);
    for (const id of ids) await query(held(id));
    await at(0).kill('SIGKILL');
    await vi.waitFor(
      async () => {
        const open = await query("select replica from confirmation where state <> 'done'");
        const holds = await query('select replica from budget_hold');
        expect([open.length, holds.length]).toEqual([2, 2]);
      },
      { interval: 250 },
    );
    const [dead] = await query('select id from replica order by seen_at limit 1');
    expect(await query("select replica, outcome from confirmation where state = 'done'")).toEqual([
      { replica: dead?.['id'], outcome: 'unknown' },
    ]);
    expect(await query('select replica from budget_hold where replica = (select id from replica order by seen_at limit 1)')).toEqual([]); // prettier-ignore
    expect(await query('select spent::int, held::int from budget_use')).toEqual([{ spent: 10, held: 20 }]);
  });
});
