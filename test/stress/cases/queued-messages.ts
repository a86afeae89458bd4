import { type HubRecord, RawHubClient } from '../../support/hub-raw-client.ts';
import { heldReplies } from '../../support/stress/held-replies.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';

const connections = 120;
const messagesEach = 8;
/** As many turns run for one address as shipped. */
const maxTurns = 100;
/** Characters of the text, and of the attachment. Together they are nearly as long as a message may be. */
const characters = 125_000;
/** The largest number of bytes of a character in memory. */
const bytesEach = 2;
const mebibyte = 1024 * 1024;
/** The largest number of bytes of one caller that may wait (contract/limits.md#callers). */
const maxWaiting = 4 * mebibyte;

const text = 'x'.repeat(characters);
const attachment = { name: 'cat.png', contentType: 'image/png', data: 'A'.repeat(characters) };

const held = heldReplies();

export const queuedMessages: StressCase = {
  name: 'queued messages',
  attack: `${String(connections)} hub connections of one caller each send ${String(messagesEach)} messages of 125,000 characters with an attachment of 125,000 behind a turn that does not end`,
  once: 'out of memory',
  promise: 'at most 4 MiB of one caller wait; more is refused as `overloaded`',
  server: { script: held.script },
  mebibytes: 250,
  async play({ hub }, must) {
    const clients = await Promise.all(Array.from({ length: connections }, () => RawHubClient.connect(hub)));
    for (const client of clients) client.call('SendMessage', 'first', 'hello');
    // The connections are flooded one after the other, so that messages wait in the server and not in this process.
    for (const client of clients) await flood(client);
    const answers = clients.flatMap(({ records }) => records.flatMap((record) => codeOf(record) ?? []));
    const overloaded = answers.filter((code) => code === 'overloaded').length;
    const waiting = connections * (messagesEach + 1) - answers.length - maxTurns;
    must(overloaded > 0, 'nothing was refused as overloaded');
    must(waiting * characters * bytesEach <= maxWaiting, `${String(waiting)} messages waited`);
    held.release();
    for (const client of clients) client.socket.close();
    await Promise.all(clients.map(({ closed }) => closed));
    const sent = (connections * messagesEach * characters * 2) / mebibyte;
    return `${sent.toFixed(0)} MiB sent; ${String(overloaded)} messages refused, ${String(waiting)} waited`;
  },
};

async function flood(client: RawHubClient): Promise<void> {
  for (let sent = 0; sent < messagesEach; sent += 1) {
    client.call('SendMessage', String(sent), text, { attachments: [attachment] });
  }
  // The server answers this call after it has read the messages before it.
  client.call('GetConnectionId', 'read');
  await client.result('read');
}

/** The code in the result of a message. Undefined for any other record. */
function codeOf(record: HubRecord): string | undefined {
  if (record['type'] !== 3 || record['invocationId'] === 'read') return undefined;
  return String((record['result'] as HubRecord | undefined)?.['code']); // the wire linter has read it
}
