import type { JSX } from 'preact';

/** A place for nodes that a chunk makes. They look as if they were the panel's own, and stay in their place. */
export function Slot({ nodes = [] }: { readonly nodes?: readonly Node[] | undefined }): JSX.Element {
  return (
    <div
      class="slot"
      ref={(slot) => {
        if (slot?.firstChild === null) slot.append(...nodes);
      }}
    />
  );
}
