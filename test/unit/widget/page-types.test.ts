import { expectTypeOf, it } from 'vitest';
import type { HelperWidgetApi, WidgetState } from '../../../src/widget/page-types.ts';

it('a page knows the methods and events of the widget by their types (contract/widget.md)', () => {
  type On = HelperWidgetApi['on'];
  const listen = (on: On): void => {
    on('navigate', ({ url }) => expectTypeOf(url).toBeString());
    on('unread', ({ count }) => expectTypeOf(count).toBeNumber());
    // @ts-expect-error -- there is no such event
    on('opened', () => undefined);
  };
  expectTypeOf(listen).parameter(0).toEqualTypeOf<On>();
  expectTypeOf<HelperWidgetApi['getState']>().returns.resolves.toEqualTypeOf<WidgetState>();
});
