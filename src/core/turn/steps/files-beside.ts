import { joined } from '../../base/joined.ts';
import { TurnError } from '../../errors/turn-error.ts';
import { tenantOf } from '../../identity/principal.ts';
import type { CountedCaller } from '../../limits/counted-caller.ts';
import type { MessageFile, Unreadable } from '../../ports/message-file.ts';
import { isCut, type SentFile, sharedOut } from '../../prompt/files-part.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { FileInput, TurnServices } from '../live/turn-services.ts';

const key = 'prompt/files';

const nothing: readonly SentFile[] = [];

/**
 * The text of the files of a message (contract/files.md). Returned without a promise where there are none. A turn that continues from a
 * record uses the recorded text.
 * @throws TurnError `file_unreadable` or `overloaded`. A promise rejects with it.
 */
export function filesBeside(
  turn: LiveTurn,
  caller: CountedCaller | undefined,
  services: TurnServices,
): readonly SentFile[] | Promise<readonly SentFile[]> {
  const { record, request } = turn;
  const { files } = services;
  // A server that takes no files any more leaves those of an earlier process out.
  if (!record.has(key) && (request.message.files === undefined || files === undefined)) return nothing;
  const read = (): Promise<readonly SentFile[]> => {
    turn.requireRunning();
    return files === undefined ? Promise.resolve(nothing) : readFiles(turn, { caller, files, services });
  };
  return record.step(key, read, { kind: 'prompt', part: 'files' }).then((sent) => {
    for (const [index, file] of sent.entries()) if (isCut(file)) tellCut(turn, { index, file, services });
    return sent;
  });
}

async function readFiles(
  { request, signal, principal }: LiveTurn,
  {
    caller,
    files: { reader, settings },
    services,
  }: {
    readonly caller: CountedCaller | undefined;
    readonly files: FileInput;
    readonly services: Pick<TurnServices, 'calls'>;
  },
): Promise<readonly SentFile[]> {
  const { files = [] } = request.message;
  const hasFailed = new AbortController();
  // Callers without a name are known by their address alone: each of their requests has another key.
  const counted = caller === undefined ? principal.userKey : `${caller.kind} ${caller.key}`;
  const reading = { caller: counted, signal: AbortSignal.any([signal, hasFailed.signal]) };
  const texts = await joined(
    files.map(async (file) => {
      const read = await reader.read(file, reading);
      if ('text' in read) return read.text;
      services.calls.metrics.of(tenantOf(principal)).filesDropped('file_unreadable', 1);
      const fault = faultOf(read.unreadable, file);
      // The message is refused, so nobody waits for its other files.
      hasFailed.abort(fault);
      throw fault;
    }),
  );
  const sent = sharedOut(texts, settings.maxFileCharacters);
  return files.map(({ name }, index) => ({
    name,
    text: sent[index] ?? '',
    characters: texts[index]?.length ?? 0,
  }));
}

function faultOf(why: Unreadable, { name }: Pick<MessageFile, 'name'>): TurnError {
  return why === 'busy'
    ? new TurnError('refused', 'overloaded', 'too many files wait to be read', { retryable: true })
    : new TurnError('refused', 'file_unreadable', `a file of the message is ${why}`, { file: { name, why } });
}

/** Tells the user that only the beginning of a file was read. */
function tellCut(
  { events }: LiveTurn,
  {
    index,
    file: { name, text, characters },
    services: { calls },
  }: { readonly index: number; readonly file: SentFile; readonly services: TurnServices },
): void {
  const { locale, fileCut } = calls.texts;
  const figures = new Intl.NumberFormat(locale);
  const values: Readonly<Record<string, string>> = {
    name,
    read: figures.format(text.length),
    all: figures.format(characters),
  };
  const message = fileCut.replace(/\{(\w+)\}/g, (placeholder, value: string) => values[value] ?? placeholder);
  events.once(`${key}/cut/${String(index)}`, { type: 'error-occurred', code: 'file_cut', message, retryable: false });
}
