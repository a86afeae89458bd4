import type { JSX } from 'preact';
import type { AdminMetrics, RemoteFigures } from '../../wire/admin-metrics.ts';
import type { PageContext, Shown } from '../page-context.ts';

interface Tile {
  readonly title: string;
  readonly value: string;
  readonly note?: string | undefined;
  /** The value is a word and not a number. */
  readonly isWord?: boolean;
  /** The value needs attention. */
  readonly isBad?: boolean;
}

/** The present state of the server. */
export function LiveTiles({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts, formats } = context;
  const { live, peaks } = shown.metrics;
  const { questions, storage, callbacks } = live;
  const age = questions.oldestAt === null ? null : Math.max(0, shown.readAt - Date.parse(questions.oldestAt));
  const peak = peaks.reduce((most, { connections }) => Math.max(most, connections), 0);
  const tiles: readonly Tile[] = [
    { title: texts.runningTurns, value: formats.number(live.turns) },
    {
      title: texts.openQuestions,
      value: formats.number(questions.count),
      note: age === null ? undefined : texts.oldest(formats.age(age)),
    },
    {
      title: texts.connections,
      value: formats.number(live.connections),
      note: peak === 0 ? undefined : texts.peak(formats.number(peak)),
    },
    {
      title: texts.storage,
      value: texts.states[storage.state],
      isWord: true,
      note: storage.type,
      isBad: storage.state !== 'ok',
    },
    ...callbacks.map(({ callback, state }) => ({
      title: texts.callback(callback),
      value: texts.states[state],
      isWord: true,
      isBad: state !== 'ok',
    })),
    ...live.mcpServers.map((server) => remoteTile(texts.mcpServer(server.name), server, texts)),
    ...live.agents.map((agent) => remoteTile(texts.agent(agent.name), agent, texts)),
  ];
  return <Tiles id="live-title" title={texts.now} tiles={tiles} />;
}

function remoteTile(title: string, { state }: RemoteFigures, { remoteStates }: PageContext['texts']): Tile {
  return { title, value: remoteStates[state], isWord: true, isBad: state === 'failed' };
}

/** The totals of the range, compared with the range before. */
export function RangeTiles({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts, formats } = context;
  const { metrics, before } = shown;
  const { totals, latency } = metrics;
  const compared = (read: (metrics: AdminMetrics) => number | null): string | undefined => {
    const [now, then] = [read(metrics), before === null ? null : read(before)];
    if (now === null || then === null || then === 0) return undefined;
    return texts.compared(formats.change(now / then - 1));
  };
  const failed = (of: AdminMetrics): number | null =>
    of.totals.turns === 0 ? null : of.totals.errors / of.totals.turns;
  const rate = failed(metrics);
  const { rag } = metrics;
  const blocked: readonly Tile[] =
    totals.guardrailBlocks === 0
      ? []
      : [
          {
            title: texts.guardrailBlocks,
            value: formats.short(totals.guardrailBlocks),
            note: compared((of) => of.totals.guardrailBlocks),
          },
        ];
  const searched: readonly Tile[] =
    rag.hitRate === null
      ? []
      : [
          {
            title: texts.searches,
            value: formats.short(rag.searches),
            note: texts.searchesFound(formats.share(rag.hitRate)),
          },
        ];
  const given = totals.goodRatings + totals.badRatings;
  const rated: readonly Tile[] =
    given === 0
      ? []
      : [
          {
            title: texts.goodShare,
            value: formats.share(totals.goodRatings / given),
            note: texts.ofRatings(formats.short(given)),
          },
        ];
  const tiles: readonly Tile[] = [
    { title: texts.turns, value: formats.short(totals.turns), note: compared((of) => of.totals.turns) },
    {
      title: texts.cost,
      value: totals.cost === null ? texts.noPrice : formats.cost(totals.cost),
      isWord: totals.cost === null,
      note: compared((of) => of.totals.cost),
    },
    { title: texts.tokensIn, value: formats.short(totals.inputTokens), note: compared((of) => of.totals.inputTokens) },
    {
      title: texts.tokensOut,
      value: formats.short(totals.outputTokens),
      note: compared((of) => of.totals.outputTokens),
    },
    {
      title: texts.turnTime,
      value: latency.p95 === null ? texts.unknown : formats.duration(latency.p95),
      note: compared((of) => of.latency.p95),
    },
    { title: texts.failedTurns, value: rate === null ? texts.unknown : formats.share(rate), note: compared(failed) },
    ...blocked,
    ...searched,
    ...rated,
  ];
  const hint = formats.span(metrics.from, shown.readAt);
  return (
    <Tiles
      id="range-title"
      title={texts.inRange}
      hint={shown.isBeforeKept ? hint : `${hint}. ${texts.notCompared}`}
      tiles={tiles}
    />
  );
}

function Tiles({
  id,
  title,
  hint,
  tiles,
}: {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly tiles: readonly Tile[];
}): JSX.Element {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      <dl class="tiles">
        {tiles.map((tile) => (
          <div key={tile.title} class={tile.isBad === true ? 'tile is-bad' : 'tile'}>
            <dt dir="auto">{tile.title}</dt>
            <dd class={tile.isWord === true ? 'value is-word' : 'value'}>{tile.value}</dd>
            {tile.note === undefined ? null : <dd class="note">{tile.note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
