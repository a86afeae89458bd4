import type { Page } from 'playwright-core';
import type { HubEvents } from '../../src/wire/hub-events.ts';

/** A hub event on its way to the page. */
export interface ToldEvent {
  readonly name: keyof HubEvents;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns the events that the page gets in place of one event. */
export type TellInstead = (event: ToldEvent) => readonly ToldEvent[];

/** Ends a message of the hub's JSON protocol. */
const end = '\u001e';

/**
 * Replaces hub events between the server and the page, so that a test can play a server that sends more. The events get new numbers without
 * gaps. Applies to the connections that the page opens from now on.
 */
export async function tellInstead(page: Page, instead: TellInstead): Promise<void> {
  await page.routeWebSocket(/\/helper-hub/, (socket) => {
    const server = socket.connectToServer();
    const numbers = new Map<unknown, number>();
    const numbered = ({ name, fields }: ToldEvent): string => {
      if (!('turnId' in fields)) return JSON.stringify({ type: 1, target: name, arguments: [fields] });
      const seq = (numbers.get(fields['turnId']) ?? 0) + 1;
      numbers.set(fields['turnId'], seq);
      return JSON.stringify({ type: 1, target: name, arguments: [{ ...fields, seq }] });
    };
    server.onMessage((data) => {
      const messages = String(data).split(end).filter(Boolean);
      const told = messages.flatMap((text) => {
        // The server writes messages of this shape.
        const message = JSON.parse(text) as {
          type?: number;
          target?: keyof HubEvents;
          arguments?: Record<string, unknown>[];
        };
        const [fields] = message.arguments ?? [];
        if (message.type !== 1 || message.target === undefined || fields === undefined) return [text];
        return instead({ name: message.target, fields }).map(numbered);
      });
      socket.send(told.map((text) => text + end).join(''));
    });
  });
}
