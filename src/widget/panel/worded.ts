import type { ConfirmationRequestedFields } from '../../wire/hub-events.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

type Language = Pick<WidgetTexts, 'locale'>;

/** The question in the language of the panel, as far as the action has words in it. */
export function worded(request: ConfirmationRequestedFields, { locale }: Language): ConfirmationRequestedFields {
  const words = request.languages?.[languageOf(locale)];
  if (words === undefined) return request;
  const { labels = {}, confirm, ...others } = words;
  return {
    ...request,
    ...others,
    confirm: { ...request.confirm, ...confirm },
    arguments: request.arguments.map((argument) => {
      const { name, label } = argument;
      return { ...argument, label: (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? label };
    }),
  };
}

/** The title of an action in the language of the panel. */
export function titleIn(
  { title, titles }: { readonly title: string; readonly titles?: Readonly<Record<string, string>> | undefined },
  { locale }: Language,
): string {
  return titles?.[languageOf(locale)] ?? title;
}

function languageOf(locale: string): string {
  return locale.split('-', 1)[0] ?? locale;
}
