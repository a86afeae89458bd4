/** The elements of which a reply, a card or the greeting can consist. None of them runs code, loads a document or submits by itself. */
type Tag =
  | 'a'
  | 'b'
  | 'blockquote'
  | 'br'
  | 'button'
  | 'caption'
  | 'code'
  | 'dd'
  | 'del'
  | 'details'
  | 'div'
  | 'dl'
  | 'dt'
  | 'em'
  | 'fieldset'
  | 'figcaption'
  | 'figure'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'hr'
  | 'i'
  | 'img'
  | 'input'
  | 'label'
  | 'legend'
  | 'li'
  | 'mark'
  | 'ol'
  | 'option'
  | 'p'
  | 'pre'
  | 'select'
  | 'span'
  | 'strong'
  | 'summary'
  | 'sup'
  | 'table'
  | 'tbody'
  | 'td'
  | 'textarea'
  | 'th'
  | 'thead'
  | 'tr'
  | 'u'
  | 'ul'
  | 'svg'
  | 'rect'
  | 'line'
  | 'path'
  | 'polyline'
  | 'circle'
  | 'text';

/** Every attribute that the widget sets on these elements. Event handlers, `style` and `srcdoc` are not among the attributes. */
type AttributeName =
  | 'alt'
  | 'aria-hidden'
  | 'aria-label'
  | 'aria-required'
  | 'checked'
  | 'class'
  | 'cx'
  | 'cy'
  | 'd'
  | 'data-action'
  | 'data-field'
  | 'data-language'
  | 'dir'
  | 'for'
  | 'height'
  | 'href'
  | 'id'
  | 'loading'
  | 'max'
  | 'maxlength'
  | 'min'
  | 'name'
  | 'placeholder'
  | 'points'
  | 'r'
  | 'referrerpolicy'
  | 'rel'
  | 'role'
  | 'rows'
  | 'scope'
  | 'selected'
  | 'src'
  | 'start'
  | 'step'
  | 'tabindex'
  | 'target'
  | 'text-anchor'
  | 'type'
  | 'value'
  | 'viewBox'
  | 'width'
  | 'x'
  | 'x1'
  | 'x2'
  | 'y'
  | 'y1'
  | 'y2';

export type Attributes = Readonly<Partial<Record<AttributeName, string>>>;

/**
 * Content as plain data. Text of the model, of tools and of users reaches the page only as such a plan. The compiler enforces the list of
 * elements and attributes. Text always becomes a text node, and HTML is never parsed.
 */
export interface NodePlan {
  readonly tag: Tag;
  readonly attributes?: Attributes;
  readonly children?: readonly (NodePlan | string)[];
}

/** The plan's text without its markup. A line break separates blocks. */
export function textOf(plan: NodePlan | string): string {
  if (typeof plan === 'string') return plan;
  if (plan.tag === 'br') return '\n';
  const separator = /^(?:p|h\d|li|pre|tr|blockquote|hr)$/.test(plan.tag) ? '\n' : '';
  return (plan.children ?? []).map(textOf).join('') + separator;
}
