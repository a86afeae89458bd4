import type { Frame, Page } from 'playwright-core';
import type { Pages } from './browser.ts';
import { type HostPage, hostPage } from './host-page.ts';

type Payload = Readonly<Record<string, unknown>>;

/** A page of another site with the chat in a frame, and what a test needs of both. */
export interface FramedChat {
  readonly page: Page;
  readonly frame: Frame;
  /** The browser's messages about the framing page, except for its missing icon. */
  readonly complaints: () => readonly string[];
  /** Sends a message of version 1 to the frame. */
  readonly tell: (type: string, payload?: object, id?: string) => Promise<void>;
  /** The payloads of all messages of a type from the frame. */
  readonly heard: (type: string) => Promise<readonly Payload[]>;
  /** Writes into the chat and presses Enter. */
  readonly say: (text: string) => Promise<void>;
}

/** A site that differs from the server's by name and port. */
export function framingSite(): Promise<HostPage> {
  return hostPage();
}

/** The environment variable that lets the site frame the chat. */
export function framedBy(site: HostPage): Readonly<Record<string, string>> {
  return { HELPER__ENDPOINTS__EMBED__FRAMEANCESTORS: JSON.stringify([site.origin]) };
}

/**
 * Opens a page of the site that frames the server's chat. `heard` holds all messages from the frame. `answers` holds the page's immediate
 * answers by type.
 */
export async function openFramed(pages: Pages, site: HostPage, server: string): Promise<FramedChat> {
  site.serve({ html: framingHtml(server) });
  const { page, messages } = await pages.open(site.url);
  const frame = page.frames().find((candidate) => candidate !== page.mainFrame());
  if (frame === undefined) throw new Error('there is no frame');
  await frame.locator('dialog.panel').waitFor();
  return {
    page,
    frame,
    complaints: () => messages.filter((message) => !message.includes('favicon')),
    tell: (type, payload = {}, id) =>
      page.evaluate(`tell(${[type, payload, id].map((value) => JSON.stringify(value)).join(', ')})`),
    async heard(type) {
      const all = await page.evaluate<{ type: string; payload: Payload }[]>('heard');
      return all.filter((message) => message.type === type).map(({ payload }) => payload);
    },
    async say(text) {
      await frame.locator('.round-button:not(.is-stop)').waitFor();
      await frame.locator('textarea').fill(text);
      await frame.locator('textarea').press('Enter');
    },
  };
}

function framingHtml(server: string): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1>
    <iframe id="chat" title="Chat" src="${server}/helper/embed" width="420" height="620" frameborder="0"></iframe>
    <script>
      window.heard = [];
      window.answers = {};
      const chat = document.getElementById('chat').contentWindow;
      window.tell = (type, payload, id) => chat.postMessage({ v: 1, id, type, payload }, '${server}');
      addEventListener('message', ({ data, origin, source }) => {
        if (origin !== '${server}' || source !== chat) return;
        heard.push(data);
        if (Object.hasOwn(answers, data.type)) tell(data.type, answers[data.type], data.id);
      });
    </script></body></html>`;
}
