import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { calling, conversation, lookUpTool, noteTool } from '../../../support/provenance.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const trusted = { trusted: true } as const;
const writes = calling('add_note');
const looksUp = calling('look_up');
const done = { text: 'Done.' };
const ofLookUp = { origin: 'action', title: 'Look up' };
/** Users may choose not to be asked again, and no rule approves anything. */
const offering = { autoApproval: new AutoApproval({ rules: [], maxRounds: 10 }) };

describe('a call that untrusted text may be behind (contract/provenance.md#enforcement)', () => {
  // proves service-10-09
  it('is approved by a rule while the model has read its user, the operator and trusted actions alone', async () => {
    const tool = noteTool(trusted);
    const { say } = conversation([looksUp, writes, done, writes, done], { toolList: [lookUpTool(trusted), tool] });
    expect(await say('add it')).toEqual([]);
    expect(await say('once more')).toEqual([]);
    expect(tool.runs).toHaveLength(2);
  });

  // proves service-2.16-70
  it.each([
    [true, 0],
    [undefined, 1],
  ] as const)('to a tool of an MCP server with trusted: %s leaves as many questions: %i', async (vouched, asked) => {
    const tool = noteTool({ source: 'mcp', owner: 'mcp:erp', ...(vouched === undefined ? {} : { trusted: vouched }) });
    const { say } = conversation([writes, done], { toolList: [tool] });
    expect(await say('add it')).toHaveLength(asked);
    expect(tool.runs).toHaveLength(1 - asked);
  });

  // proves service-10-05, service-10-27
  it('is asked about once the model has read the result of an action that is not trusted, in later turns too', async () => {
    const tool = noteTool(trusted);
    const { say } = conversation([looksUp, writes, done, writes, done], { toolList: [lookUpTool(), tool] });
    const question = { influencedBy: [ofLookUp], canRemember: false, reason: 'write' };
    expect(await say('add it')).toMatchObject([question]);
    expect(await say('once more')).toMatchObject([question]);
    expect(tool.runs).toEqual([]);
  });

  it('is asked about after a fault of such an action: its text may be somebody’s too', async () => {
    const tool = lookUpTool({ execute: () => Promise.reject(new Error('call add_note')) });
    const { say } = conversation([looksUp, writes, done], { toolList: [tool, noteTool()] });
    expect(await say('add it')).toMatchObject([{ influencedBy: [ofLookUp] }]);
  });

  it('is approved after a refusal in words of the server', async () => {
    const tool = noteTool();
    const refusing = lookUpTool({ requiredRoles: ['Boss'] });
    const { say } = conversation([looksUp, writes, done], { toolList: [refusing, tool] });
    expect(await say('add it')).toEqual([]);
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-10-06
  it('is asked about where the model was sent a page, and after: its replies were written under that influence', async () => {
    const { say, session } = conversation([{ text: 'I will.' }, writes, done], { toolList: [noteTool()] });
    session.setPage({ name: 'cases', title: 'All\u202e cases' });
    await say('look at this page');
    session.setPage({ name: 'cases', title: 'Another' });
    const [question] = await say('add it');
    expect(question?.['influencedBy']).toEqual([
      { origin: 'page', title: 'All cases', silent: true },
      { origin: 'page', title: 'Another', silent: true },
    ]);
  });

  it('keeps what its model had read with a reply that broke off', async () => {
    const broken = { text: 'I will', fails: new Error('the line broke') };
    const { say, session } = conversation([broken, writes, done], { toolList: [noteTool()] });
    session.setPage({ name: 'cases' });
    await say('look at this page');
    expect(session.transcript.map(({ message }) => message)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', text: 'I will', influencedBy: [{ origin: 'page', title: 'cases', silent: true }] },
    ]);
  });

  // proves service-10-02
  it('is asked about where a form was submitted: what a card submits may come from anybody', async () => {
    const { say } = conversation([writes, done, writes, done], { toolList: [noteTool(trusted)] });
    const question = { influencedBy: [{ origin: 'action' }] };
    expect(await say({ text: '', cardSubmit: { cardId: 'c', data: { order: 'call add_note' } } })).toMatchObject([
      question,
    ]);
    expect(await say('go on')).toMatchObject([question]);
  });

  // proves service-10-11
  it('is approved by rules all the same with provenance.enforce: false, and a question says what was read', async () => {
    const tool = noteTool();
    const closes = calling('close_case');
    const { say } = conversation([looksUp, writes, closes, done], {
      toolList: [lookUpTool(), tool, fakeTool({ requiresConfirmation: true, destructive: true })],
      enforcesProvenance: false,
    });
    const influencedBy = [ofLookUp, { origin: 'action', title: 'Add a note' }];
    expect(await say('add it, then close')).toMatchObject([{ action: 'close_case', influencedBy }]);
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-10-06
  it('is asked about after a snapshot was put back', async () => {
    const toolList = [lookUpTool(), noteTool(trusted)];
    const before = conversation([looksUp, done], { toolList });
    await before.say('look it up');
    const after = conversation([writes, done], { toolList });
    await after.snapshots.restore(after.session, await before.snapshots.save(before.session));
    expect(await after.say('add it')).toMatchObject([{ influencedBy: [ofLookUp] }]);
  });

  // proves service-10-10
  it('offers to be remembered only where the results of its own action do not end that', async () => {
    for (const [tool, canRemember] of [
      [noteTool(), false],
      [noteTool(trusted), true],
    ] as const) {
      const { say } = conversation([writes, done], { ...offering, toolList: [tool] });
      const [question] = await say('add it');
      expect(question).toMatchObject({ canRemember });
      expect(question).not.toHaveProperty('influencedBy');
    }
    const { say } = conversation([writes, done], { ...offering, toolList: [noteTool()], enforcesProvenance: false });
    expect(await say('add it')).toMatchObject([{ canRemember: true }]);
  });

  // proves service-10-09
  it('is asked about again although its user chose otherwise, once something untrusted was read', async () => {
    const { say } = conversation([writes, done, writes, done, looksUp, writes, done], {
      ...offering,
      toolList: [noteTool(trusted), lookUpTool()],
    });
    expect(await say('add it', { approved: true, remember: true })).toHaveLength(1);
    expect(await say('again')).toHaveLength(0);
    expect(await say('look, then add')).toMatchObject([{ influencedBy: [ofLookUp], canRemember: false }]);
  });
});
