import type { DefaultTreeAdapterTypes } from 'parse5';

/** The value of an attribute. Undefined: the element has no such attribute. */
export function attributeOf(element: DefaultTreeAdapterTypes.Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** A number of an attribute, such as `colspan`, within bounds. */
export function numberOf(
  element: DefaultTreeAdapterTypes.Element,
  name: string,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  const written = /^\s{0,9}(-?\d{1,9})/.exec(attributeOf(element, name) ?? '')?.[1];
  return written === undefined ? usual : Math.min(most, Math.max(least, Number(written)));
}
