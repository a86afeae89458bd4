import type { JSX } from 'preact';

/** A place for nodes that a chunk brings, which look as if they stood there by themselves; they stay once they are in. */
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
