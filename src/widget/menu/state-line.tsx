import type { JSX } from 'preact';

interface StateLineProps {
  readonly name: string;
  readonly words: string;
  /** Of the dot, as in the header. */
  readonly state: string;
}

/** What is meant, and how it is doing. The colon is only read and copied: on the screen the two stand apart. */
export function StateLine({ name, words, state }: StateLineProps): JSX.Element {
  return (
    <>
      <span class={`dot is-${state}`} />
      <span class="kind">
        {name}
        <span class="visually-hidden">: </span>
      </span>
      <span class="words">{words}</span>
    </>
  );
}
