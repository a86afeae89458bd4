/** What a careful hand-written server does: parse each chunk, make an event of its text, write each by itself. */
import { readBaselineOptions } from './baseline-options.ts';
import { serveRelay } from './model-request.ts';

interface CompletionChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null } }[];
}

/** The text of one `data:` line; undefined for every other line. */
function textOfLine(line: string): string | undefined {
  if (!line.startsWith('data: {')) return undefined;
  // Our own fake model guarantees the shape.
  const chunk = JSON.parse(line.slice(6)) as CompletionChunk;
  return chunk.choices[0]?.delta.content ?? undefined;
}

serveRelay(readBaselineOptions(), (modelAnswer, response) => {
  let pending = '';
  modelAnswer.setEncoding('utf8');
  modelAnswer.on('data', (received: string) => {
    const lines = (pending + received).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const text = textOfLine(line);
      if (text !== undefined && text !== '') response.write(`event: text\ndata: ${JSON.stringify({ text })}\n\n`);
    }
  });
  modelAnswer.on('end', () => response.end('event: end\ndata: {}\n\n'));
});
