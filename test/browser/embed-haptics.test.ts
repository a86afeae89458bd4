import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { framedBy, type FramedChat, framingSite, openFramed } from '../support/framing-page.ts';
import { inTwoParts } from '../support/in-two-parts.ts';
import { calling, failing, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const cancelOrder = calling({ name: 'cancel', arguments: {} });

/** One action that asks and one that does not; the first does this. */
function desk(execute: string): string {
  const parameters = `{ type: 'object', properties: {} }`;
  return `export default { name: 'desk', actions: [
    { name: 'cancel', title: 'Cancel', description: 'Cancels.', parameters: ${parameters}, execute: () => { ${execute} } },
    { name: 'look', description: 'Looks.', readOnly: true, parameters: ${parameters}, execute: () => 'seen' },
  ] }`;
}

describeInBrowser('what the host of the embed page lets its user feel (contract/embed.md)', (pages) => {
  const open = async (
    scripts: readonly ModelScript[],
    execute = `return 'done'`,
  ): Promise<FramedChat & { readonly felt: () => Promise<readonly unknown[]> }> => {
    const site = await framingSite();
    const { url } = await scriptedServer({ scripts, plugin: desk(execute), overrides: framedBy(site) });
    const chat = await openFramed(pages, site, url);
    return { ...chat, felt: async () => (await chat.heard('haptic')).map(({ kind }) => kind) };
  };

  // proves wire-9-62
  it('tells of a question, of the end of the approved action, and of the end of the answer', async () => {
    const { frame, say, felt, heard } = await open([cancelOrder, saying('It is cancelled.')]);
    await say('Cancel it');
    await frame.getByRole('button', { name: 'Approve' }).waitFor();
    await expect.poll(felt).toEqual(['question']);
    await frame.getByRole('button', { name: 'Approve' }).click();
    await frame.locator('.log').getByText('It is cancelled.').waitFor();
    await expect.poll(felt).toEqual(['question', 'success', 'success']);
    expect((await heard('haptic'))[0]).toEqual({ kind: 'question' });
  });

  it('tells of an approved action that has failed', async () => {
    const { frame, say, felt } = await open(
      [cancelOrder, saying('It did not work.')],
      `throw new Error('No such order')`,
    );
    await say('Cancel it');
    await frame.getByRole('button', { name: 'Approve' }).click();
    await frame.locator('.log').getByText('It did not work.').waitFor();
    await expect.poll(felt).toEqual(['question', 'failure', 'success']);
  });

  it('tells nothing of what the user has ended by hand: a declined question, a stopped answer', async () => {
    const reply = inTwoParts('The first half, ', 'and the second.');
    const { frame, say, felt, heard } = await open([cancelOrder, reply.script]);
    await say('Cancel it');
    await frame.getByRole('button', { name: 'Decline' }).click();
    await frame.locator('.log').getByText('The first half,').waitFor();
    await frame.getByRole('button', { name: 'Stop' }).click();
    await frame.locator('.log').getByText('Stopped').waitFor();
    await expect.poll(async () => (await heard('state')).at(-1)).toMatchObject({ isRunning: false });
    expect(await felt()).toEqual(['question']);
    reply.goOn();
  });

  it('tells of an answer that has failed', async () => {
    const { frame, say, felt } = await open([failing(500), failing(500), failing(500)]);
    await say('Hi');
    await frame.getByRole('button', { name: 'Try again' }).waitFor();
    await expect.poll(felt).toEqual(['failure']);
  });

  it('tells once of an answer for which something was only looked up', async () => {
    const { frame, say, felt } = await open([calling({ name: 'look', arguments: {} }), saying('There it is.')]);
    await say('Look');
    await frame.locator('.log').getByText('There it is.').waitFor();
    await expect.poll(felt).toEqual(['success']);
  });

  it.each(['a closed panel', 'a page in the background'])('tells nothing of what nobody sees: %s', async (unseen) => {
    const reply = inTwoParts('The first half, ', 'and the second.');
    const { frame, tell, say, felt, heard } = await open([reply.script, saying('Seen again.')]);
    await say('Tell me all');
    await frame.locator('.log').getByText('The first half,').waitFor();
    const hide = (hidden: boolean): Promise<unknown> =>
      frame.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${String(hidden)}, configurable: true }); null`,
      );
    if (unseen === 'a closed panel') await tell('close');
    else await hide(true);
    await expect.poll(async () => (await heard('state')).at(-1)?.['isOpen']).toBe(unseen !== 'a closed panel');
    reply.goOn();
    await expect.poll(async () => (await heard('state')).at(-1)?.['isRunning']).toBe(false);
    if (unseen === 'a closed panel') await tell('open');
    else await hide(false);
    await say('And now?');
    await frame.locator('.log').getByText('Seen again.').waitFor();
    await expect.poll(felt).toEqual(['success']);
  });
});
