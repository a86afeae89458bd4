import { expect } from 'vitest';
import { answersTo } from './answered-requests.ts';
import type { Pages } from './browser.ts';
import { type Till, tillCookie } from './till.ts';

/** An attempt by a page of another site: the body of an async function, and the server's answers to it, in order. */
export interface Attempt {
  readonly title: string;
  readonly code: string;
  readonly answer: string;
}

/** What attempts can use besides `server`, its address, and `ids`, the ids of Ann's question. */
const tools = `
  const chat = server + '/helper/chat';
  const approve = server + '/helper/approve';
  const answer = JSON.stringify({ actionId: ids.actionId, approved: true });
  const ended = (target, ...events) => new Promise((resolve) => events.forEach((event) => target.addEventListener(event, resolve)));
  const send = (url, init) => fetch(url, { credentials: 'include', ...init }).catch(() => undefined);
  const post = (url, body, type, mode = 'no-cors') => send(url, { method: 'POST', mode, body: new Blob([body], { type }) });
  const element = (name, members) => {
    const made = Object.assign(document.createElement(name), members);
    document.body.append(made);
    return made;
  };
  /** JSON in a form: its one field is cut at the sign that forms put between name and value. */
  const form = (action, enctype, json) => {
    element('iframe', { name: 'sink' });
    const sent = element('form', { method: 'post', target: 'sink', action, enctype });
    const [name, value] = [json.slice(0, -1) + ',"x":"', '"}'];
    sent.append(Object.assign(document.createElement('input'), { name, value }));
    sent.submit();
  };`;

/**
 * Opens a page in Ann's browser, which sends her cookie to the server. `at` is the server's address for the page. The result makes an
 * attempt, of which exactly the listed requests may reach the server.
 */
export async function openHostilePage(
  pages: Pages,
  { till, url, at = till.url }: { readonly till: Till; readonly url: string; readonly at?: string },
): Promise<(attempt: Attempt) => Promise<void>> {
  const context = (await pages.open('about:blank')).page.context();
  const domain = new URL(till.url).hostname;
  await context.addCookies([{ ...tillCookie, domain, path: '/', sameSite: 'None', secure: true }]);
  // A page of the server's own site loads the widget, too.
  const answers = answersTo(new URL(at).host, /^\/(helper-hub|helper\/(chat|approve|cancel|session))/);
  // Node does not count refused upgrades as answers, so the browser's console reports them.
  context.on('console', (message) => {
    const refused = /WebSocket connection to .* failed: .* response code: (\d+)/.exec(message.text())?.[1];
    if (refused !== undefined) answers.push(`GET /helper-hub ${refused}`);
  });
  const given = `const server = ${JSON.stringify(at)}, ids = ${JSON.stringify(till.ids)};`;
  return async ({ title, code, answer }) => {
    const page = await context.newPage();
    await page.goto(url);
    answers.length = 0;
    // A page that is left in the middle may never say that it is through.
    const left = new Promise((resolve) => page.once('framenavigated', resolve));
    await Promise.race([page.evaluate(`(async () => { ${given} ${tools} ${code}; })()`), left]);
    const seen = (): object => ({ [title]: answers.join(', ') });
    await expect.poll(seen, { interval: 10 }).toEqual({ [title]: answer });
    // The page stays until the test ends: Chromium may lose the wish to close one that is just being left.
  };
}
