import { describe, expect, it } from 'vitest';
import { OpenResources, type Resource } from '../../../src/app/open-resources.ts';
import { recordingLogger } from '../../support/quiet.ts';

function noted(name: string, notes: string[], ending: Partial<Resource> = {}): Resource {
  return {
    name,
    drain: (graceMs) => {
      notes.push(`${name} drains for ${String(graceMs)}`);
      return Promise.resolve();
    },
    close: () => {
      notes.push(`${name} closes`);
      return Promise.resolve();
    },
    ...ending,
  };
}

describe('what is open while the server runs', () => {
  it('drains all at once and is then closed, what was opened last first', async () => {
    const notes: string[] = [];
    const drained = Promise.withResolvers<undefined>();
    const resources = new OpenResources(recordingLogger());
    resources.add(noted('stores', notes), noted('turns', notes, { drain: () => drained.promise }));
    resources.add(noted('hub', notes));
    const closed = resources.close(50);
    expect(notes).toEqual(['hub drains for 50', 'stores drains for 50']);
    drained.resolve(undefined);
    await closed;
    expect(notes.slice(2)).toEqual(['hub closes', 'turns closes', 'stores closes']);
  });

  it('is closed even if something before it does not drain or close, which the log tells', async () => {
    const notes: string[] = [];
    const log = recordingLogger();
    const resources = new OpenResources(log);
    const broken = {
      drain: () => Promise.reject(new Error('stuck')),
      close: () => Promise.reject(new Error('jammed')),
    };
    resources.add(noted('stores', notes), noted('hub', notes, broken));
    await resources.close(0);
    expect(notes).toEqual(['stores drains for 0', 'stores closes']);
    expect(log.lines.map(({ level, fields }) => [level, (fields as { resource: string }).resource])).toEqual([
      ['error', 'hub'],
      ['error', 'hub'],
    ]);
  });
});
