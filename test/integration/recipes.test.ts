import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { signatureHeaders, signingKeys } from '../../src/adapters/shared/sign-request.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { callbackSecret } from '../support/callback-receiver.ts';
import { recipePage } from '../support/recipes/recipe-folder.ts';
import {
  startDjango,
  startExpress,
  startNext,
  startPhp,
  startRails,
  startSpring,
  startWordPress,
} from '../support/recipes/started-recipes.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { isHere, lackOf, type ToolName } from '../support/tools-here.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { exampleFile } from '../unit/docs/pages.ts';

interface Recipe {
  readonly name: string;
  /** Starts the code of the page, or what plays it. */
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<string>;
  readonly needs?: ToolName;
  /** The id of the user whose order is 1001. */
  readonly user?: string;
  readonly host?: string;
  readonly path?: string;
  /** Where the code that runs here answers the token of its user. */
  readonly token?: string;
  readonly action?: Action;
}

/** What the action of a recipe is called with, and answers. */
interface Action {
  readonly name: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly done: object;
  readonly again: string;
  readonly others: string;
}

const cancelOrder: Action = {
  name: 'cancel_order',
  title: 'Cancel an order',
  parameters: { orderNumber: 1001 },
  done: { orderNumber: 1001, status: 'cancelled' },
  again: 'Order 1001 is cancelled already.',
  others: 'There is no order 1001.',
};

const trashPost: Action = {
  name: 'trash_post',
  title: 'Move a post to the trash',
  parameters: { postId: 1001 },
  done: { postId: 1001, status: 'trash' },
  again: 'Post 1001 cannot be moved to the trash.',
  others: 'You may not delete post 1001.',
};

const recipes: readonly Recipe[] = [
  { name: 'express', start: startExpress, token: '/helper-token' },
  { name: 'nextjs', start: startNext },
  { name: 'django', start: startDjango, needs: 'django', user: '7' },
  { name: 'php', start: startPhp, needs: 'php', path: '/helper-actions.php', token: '/helper-token' },
  { name: 'spring', start: startSpring, needs: 'java' },
  { name: 'rails', start: startRails, needs: 'ruby' },
  // The script of another recipe plays these two: what they are written in is not here.
  { name: 'laravel', start: startExpress },
  { name: 'aspnet', start: startExpress },
  {
    name: 'wordpress',
    start: startWordPress,
    needs: 'php',
    user: '7',
    host: 'blog.example.com',
    path: '/wp-json/helper/v1/actions',
    token: '/wp-json/helper/v1/token',
    action: trashPost,
  },
];

for (const recipe of recipes) {
  const { name, needs } = recipe;
  const title = `the callback of the recipe (docs/recipes/${name}.md, contract/plugins.md#callbacks)`;
  if (needs === undefined || isHere(needs)) describe(title, () => recipeTests(recipe));
  else describe.skip(`${title} (skipped: ${lackOf(needs)})`, () => recipeTests(recipe));
}

interface Settings {
  readonly appName: string;
  readonly models: object;
  readonly chatClient: string;
  readonly actions: { readonly callbacks: readonly { readonly name: string; readonly url: string }[] };
}

function settingsOf(name: string): Settings {
  return parse(exampleFile(recipePage(name), 'helper.yaml')) as Settings; // the page's own
}

interface Call {
  readonly url: string;
  readonly user: string;
  readonly action: Pick<Action, 'name' | 'parameters'>;
  readonly isAuthenticated?: boolean;
  /** The key that signs. */
  readonly keys?: readonly Buffer[];
}

function send(
  { url, user, action, isAuthenticated = true, keys = signingKeys(callbackSecret) }: Call,
  id: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const caller = { id: user, name: 'Ann', roles: [], claims: {}, isAuthenticated };
  const call = { type: 'action', id, action: action.name, arguments: action.parameters, user: caller };
  const body = JSON.stringify(call);
  const signed = signatureHeaders({ id, body }, keys, Date.now());
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed, ...changes } });
}

const environment = {
  SHOP_CALLBACK_SECRET: callbackSecret,
  BLOG_CALLBACK_SECRET: callbackSecret,
  HELPER_TOKEN_SECRET: tokenSecret,
};

/** What the page says of the server beside its model, with the callback at this address. */
function configurationAt(name: string, url: string) {
  const { actions, models: _models, chatClient: _chatClient, ...settings } = settingsOf(name);
  return { settings, callbacks: actions.callbacks.map((entry) => ({ ...entry, url })) };
}

async function expectChecked(name: string, url: string, action: Action): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-recipe-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { callbacks } = configurationAt(name, url);
  writeFileSync(join(folder, 'helper.yaml'), JSON.stringify({ ...settingsOf(name), actions: { callbacks } }));
  const context = fakeContext(folder, environment);
  expect(await runCommand(['check', '--config', 'helper.yaml'], context)).toBe(0);
  expect(context.written()).toMatch(new RegExp(`${action.name} +writes +asks \\(write\\) +everybody +callback`));
}

function recipeTests(recipe: Recipe): void {
  const { name, start, user = 'ann', path = '/helper-actions', host = 'shop.example.com' } = recipe;
  const { action = cancelOrder, token } = recipe;
  const started = async (): Promise<Call & { readonly action: Action }> => ({
    url: (await start()) + path,
    user,
    action,
  });

  it('has an address that its configuration names', () => {
    expect(settingsOf(name).actions.callbacks[0]?.url).toBe(`https://${host}${path}`);
  });

  it('is known to helper check, asks its user, does it for the owner, and says no to others', async () => {
    const { url } = await started();
    const call = calling({ name: action.name, arguments: action.parameters });
    const scripts = [call, saying('No.'), call, saying('Done.')];
    const server = await scriptedServer({ ...configurationAt(name, url), scripts, overrides: environment });
    const audience = host.split('.', 1)[0] ?? '';

    const ask = async (sub: string) => {
      const authorization = `Bearer ${await makeToken({ sub }, { audience })}`;
      const turn = await openSse(`${server.url}/helper/chat`, { body: { message: 'go' }, headers: { authorization } });
      const { data } = await turn.next('confirmation');
      expect(data).toMatchObject({ action: action.name, reason: 'write', title: action.title });
      await fetch(`${server.url}/helper/approve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
      });
      return turn;
    };
    expect((await (await ask('8')).next('failure')).data).toMatchObject({ message: action.others });
    await (await ask(user)).next('end');
    const told = JSON.stringify((await server.model.request(3)).body['messages']);
    expect(told).toContain('succeeded');
    await expectChecked(name, url, action);
  });

  it('answers a repeated call with the stored result, and does it once', async () => {
    const call = await started();
    const done = { result: action.done };
    const both = await Promise.all([send(call, 'call-1'), send(call, 'call-1')]);
    expect(await Promise.all(both.map((answer) => answer.json()))).toEqual([done, done]);
    expect(await (await send(call, 'call-1')).json()).toEqual(done);
    expect(await (await send(call, 'call-2')).json()).toEqual({ error: { message: action.again } });
  });

  it('refuses what is not signed, signed with another key, or old', async () => {
    const call = await started();
    for (const changes of [
      { 'webhook-signature': '' },
      { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
      { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) },
      { 'webhook-timestamp': 'soon' },
      { 'webhook-id': 'call-9' },
    ]) {
      expect((await send(call, 'call-1', changes)).status).toBe(401);
    }
    expect((await fetch(call.url)).status).toBe(401);
    expect((await send(call, 'call-1')).status).toBe(200);
  });

  refusalTests({ start, path, token, call: { user, action } });
}

interface Refusing extends Pick<Recipe, 'start'> {
  readonly token: Recipe['token'] | undefined;
  readonly path: string;
  readonly call: Omit<Call, 'url'> & { readonly action: Action };
}

const errorOf = (message: string) => ({ error: { message } });

function refusalTests({ start, path, token, call: { user, action } }: Refusing): void {
  it('answers an error to an action that it does not know, and does nothing', async () => {
    const call = { url: (await start()) + path, user, action };
    for (const name of ['ship_order', 'constructor']) {
      const answer = await send({ ...call, action: { ...action, name } }, name);
      expect(await answer.json()).toEqual(errorOf(`There is no action ${name}.`));
    }
    expect(await (await send(call, 'call-1')).json()).toEqual({ result: action.done });
  });

  it('answers an error to a caller who is not signed in, and does nothing', async () => {
    const call = { url: (await start()) + path, user, action };
    for (const id of ['', user]) {
      const answer = await send({ ...call, user: id, isAuthenticated: false }, `anonymous-${id}`);
      expect([answer.status, await answer.json()]).toEqual([200, errorOf('Sign in first.')]);
    }
    expect(await (await send(call, 'call-1')).json()).toEqual({ result: action.done });
  });

  it.each(['', 'whsec_'])('does not start or serves nothing when its secret is %j', async (secret) => {
    const attempt = start({ SHOP_CALLBACK_SECRET: secret }).then(
      async (url) => (await send({ url: url + path, user, action, keys: [Buffer.alloc(0)] }, 'call-1')).status,
      String,
    );
    expect(await attempt).toEqual(expect.toSatisfy(isRefusal));
  });

  it.runIf(token !== undefined)('signs no token without the secret of tokens', async () => {
    const tokenOf = async (url: string): Promise<Response> => fetch(url + String(token));
    expect((await tokenOf(await start())).status).toBe(200);
    const attempt = start({ HELPER_TOKEN_SECRET: '' }).then(async (url) => (await tokenOf(url)).status, String);
    expect(await attempt).toEqual(expect.toSatisfy(isRefusal));
  });
}

/** The status of a fault, or the complaint of a program that did not start. */
const isRefusal = (seen: unknown): boolean => seen === 500 || /_SECRET is not set/.test(String(seen));
