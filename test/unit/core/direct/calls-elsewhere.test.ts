import { describe, expect, it } from 'vitest';
import type { CarriedBus } from '../../../../src/adapters/bus/carried-bus.ts';
import { InProcessExchange } from '../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { CallsElsewhere } from '../../../../src/core/direct/calls-elsewhere.ts';
import { at, joinedBuses } from '../../../support/bus/opened-buses.ts';

/** Two replicas that hold the questions of these sets. */
async function replicas() {
  const exchange = new InProcessExchange();
  const buses = await joinedBuses(exchange, 2);
  const of = (bus: CarriedBus): { readonly calls: CallsElsewhere; readonly held: Set<string> } => {
    const held = new Set<string>();
    return {
      held,
      calls: new CallsElsewhere(
        () => bus,
        (key) => held.has(key),
      ),
    };
  };
  return { exchange, replica: at(buses, 0).replica, here: of(at(buses, 0)), there: of(at(buses, 1)) };
}

describe('the question about a call that names none (contract/replicas.md#programs)', () => {
  // proves wire-10-91
  it('belongs to the first replica that makes the call, for as long as the call goes on or the question is held', async () => {
    const { replica, here, there } = await replicas();
    expect(await here.calls.enter('call')).toBeUndefined();
    expect(await there.calls.enter('call')).toBe(replica);
    there.calls.leave('call');
    here.held.add('call');
    here.calls.leave('call');
    expect(await there.calls.enter('call')).toBe(replica);
    there.calls.leave('call');
    here.held.clear();
    here.calls.freed('call');
    await expect.poll(() => there.calls.enter('call')).toBeUndefined();
  });

  // proves wire-10-91
  it('is let go by a call that has asked nothing, but not while another one of the replica goes on', async () => {
    const { replica, here, there } = await replicas();
    expect(await Promise.all([here.calls.enter('call'), here.calls.enter('call')])).toEqual([undefined, undefined]);
    here.calls.leave('call');
    expect(await there.calls.enter('call')).toBe(replica);
    there.calls.leave('call');
    here.calls.leave('call');
    expect(await there.calls.enter('call')).toBeUndefined();
  });

  // proves wire-10-93
  it('is put by each replica that is asked while the bus is away', async () => {
    const { exchange, here, there } = await replicas();
    exchange.cut();
    expect(await Promise.all([here.calls.enter('call'), there.calls.enter('call')])).toEqual([undefined, undefined]);
  });

  it('is where the call is for a server that is the only one', async () => {
    const calls = new CallsElsewhere(
      () => undefined,
      () => false,
    );
    expect(await calls.enter('call')).toBeUndefined();
    calls.leave('call');
  });
});
