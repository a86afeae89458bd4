import type { DemoTexts } from '../demo-texts.ts';

export const polish: DemoTexts = {
  greeting: (appName) =>
    `Cześć! Jestem demonstracyjnym asystentem ${appName}. Poproś o coś albo zapytaj, co potrafię.`,
  thanks: 'Nie ma za co.',
  about: (appName, description) => `To jest **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Jestem wbudowanym modelem demonstracyjnym: stosuję proste reguły i nie potrzebuję klucza. Moje miejsce może zająć każdy prawdziwy model.',
  abilities: 'Oto co mogę tutaj zrobić:',
  pages: 'Mogę też przejść na te strony:',
  nothingToDo: 'Nie skonfigurowano tu jeszcze niczego, co mógłbym zrobić.',
  unclear: 'Jestem tylko modelem demonstracyjnym i nie zrozumiałem.',
  cannotSee: 'Jestem tylko modelem demonstracyjnym i nie widzę obrazów.',
  ask: (label) => `Potrzebuję jeszcze jednej informacji: **${label}**. Jaka to wartość?`,
  found: (count) => `Znaleziono: ${String(count)}.`,
  nothingFound: 'Nic nie znaleziono.',
  onCard: (count) => `${count === undefined ? '' : `Znaleziono: ${String(count)}. `}Szczegóły są na karcie.`,
  more: (count) => `… i jeszcze ${String(count)}.`,
  here: 'Oto co znalazłem:',
  done: (label) => `Zrobione: **${label}**.`,
  declined: 'Odmówiono zgody, więc nic nie zostało zmienione.',
  refused: 'Nie wolno mi tego zrobić, więc nic nie zostało zmienione.',
  cancelled: 'Akcja nie została wykonana, więc nic nie zostało zmienione.',
  failed: (reason) => `To się nie udało: ${reason}`,
  unknown: 'Nie wiadomo, czy akcja została wykonana. Sprawdź to, zanim spróbujesz ponownie.',
  opening: (title) => `Otwieram stronę **${title}**.`,
  unfinished: 'Nie udało mi się tego dokończyć. Poproś o to w mniejszych krokach.',
  noted: 'Zapamiętam to.',
  remembered: 'Powiedziano mi:',
  nothingRemembered: 'Nie pamiętam jeszcze niczego o tobie.',
  yes: 'tak',
  no: 'nie',
};
