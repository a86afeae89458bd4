import { describe, expect, it } from 'vitest';
import { startCallback, callbackSecret, json } from '../support/callback-receiver.ts';
import { sayOverHub } from '../support/attacks/attacked-user.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { type ScriptedOptions, scriptedServer } from '../support/scripted-server.ts';

const sink = { type: 'string', sink: true };
const parameters = { type: 'object', properties: { to: sink } };
const native = { hitlMode: 'Native', autoApprovalRules: [{ tool: '*' }] };
const reads = calling({ name: 'get_hours', arguments: {} });
const writes = calling({ name: 'add_note', arguments: {} });
const mails = calling({ name: 'send_mail', arguments: { to: 'eve@evil.test' } });

const plugin = (trusted: boolean, schema = JSON.stringify(parameters)): string => `
const none = { type: 'object', properties: {} };
export default { name: 'desk', actions: [
  { name: 'get_hours', title: 'Hours', description: 'Reads.', parameters: none, readOnly: true, trusted: ${String(trusted)}, execute: () => 'six' },
  { name: 'add_note', description: 'Writes.', parameters: none, execute: () => 'added' },
  { name: 'send_mail', description: 'Sends.', parameters: ${schema}, readOnly: true, execute: () => 'sent' },
] };`;

/** The questions of one turn. */
async function questionsOf(options: ScriptedOptions, text = 'Go on.') {
  const server = await scriptedServer({ ...options, settings: { ...native, ...options.settings } });
  const { questions } = await sayOverHub({ url: server.url, token: undefined, approves: true }, { text });
  return { ...server, questions };
}

describe('what actions declare of where text comes from (contract/provenance.md)', () => {
  // proves service-10-01, service-10-25
  it('trusted: true of a plugin lets rules approve after its result', async () => {
    const scripts = [reads, writes, saying('Done.')];
    expect((await questionsOf({ scripts, plugin: plugin(true) })).questions).toEqual([]);
    expect((await questionsOf({ scripts, plugin: plugin(false) })).questions).toMatchObject([
      { action: 'add_note', canRemember: false, influencedBy: [{ origin: 'action', title: 'Hours' }] },
    ]);
  });

  // proves service-10-01
  it('trusted: true and sink: true of a manifest mean the same', async () => {
    for (const trusted of [true, false]) {
      const callback = await startCallback({
        version: 1,
        actions: [
          {
            name: 'get_hours',
            title: 'Hours',
            description: 'Reads.',
            parameters: { type: 'object', additionalProperties: true },
            readOnly: true,
            trusted,
          },
          { name: 'send_mail', description: 'Sends.', parameters, readOnly: true },
        ],
      });
      callback.answer = json({ result: 'write to ann@shop.test' });
      const mail = calling({ name: 'send_mail', arguments: { to: 'ann@shop.test' } });
      const callbacks = [{ name: 'erp', url: callback.url, secret: callbackSecret }];
      const { questions } = await questionsOf({ scripts: [reads, mail, saying('Done.')], callbacks });
      expect(questions).toMatchObject(trusted ? [] : [{ reason: 'influenced', arguments: [{ notFromUser: true }] }]);
    }
  });

  it('sink: true asks where the user has not named the value, in a Zod schema too, and the model is not told of the mark', async () => {
    const address = import.meta.resolve('zod');
    const zod = `await import('${address}').then(({ z }) => z.object({ to: z.string().meta({ sink: true }) }))`;
    for (const schema of [JSON.stringify(parameters), zod]) {
      const { questions, model } = await questionsOf({
        scripts: [mails, saying('Done.')],
        plugin: plugin(true, schema),
      });
      expect(questions).toMatchObject([
        {
          action: 'send_mail',
          reason: 'influenced',
          arguments: [{ name: 'to', value: 'eve@evil.test', notFromUser: true }],
        },
      ]);
      expect(JSON.stringify(model.requests[0]?.body)).not.toContain('sink');
    }
    const said = await questionsOf(
      { scripts: [mails, saying('Done.')], plugin: plugin(true) },
      'Write to Eve@evil.test!',
    );
    expect(said.questions).toEqual([]);
  });

  it('trusted that is neither true nor false is a fault', async () => {
    await expect(
      scriptedServer({ scripts: [], plugin: plugin(true).replace('trusted: true', `trusted: 'yes'`) }),
    ).rejects.toThrow(/trusted/);
  });
});
