import type { ConfirmTexts } from './confirm-texts.ts';

export const polish: ConfirmTexts = {
  locale: 'pl',
  confirmTitle: 'Potwierdź',
  irreversible: 'Tego nie można cofnąć.',
  notFromUser: 'nie od Ciebie',
  confirmUntil: 'Odpowiedź można dać do {time}.',
  approve: 'Zatwierdź',
  decline: 'Odrzuć',
  influenced: 'To pytanie wynika z tekstu, który nie pochodzi od Ciebie.',
  program:
    'Połączony przez Ciebie program chce to zrobić. Zatwierdź tylko wtedy, gdy właśnie go o to poprosiłeś lub poprosiłaś.',
  waits: 'Zatwierdzono. Program wykona to, gdy zapyta ponownie.',
  running: 'Zatwierdzono. Trwa wykonywanie.',
  signedInAs: 'Zalogowano jako {user}',
  signIn: 'Zaloguj się do aplikacji w tej przeglądarce, a potem otwórz tę stronę ponownie.',
  again: 'Otwórz ponownie',
  notYours: 'To pytanie jest do kogoś innego.',
  programRefused: 'Program, który pyta, nie może odpowiedzieć. Zaloguj się do aplikacji w tej przeglądarce.',
  gone: 'Nie ma tu nic do potwierdzenia.',
  failed: 'To się nie udało. Spróbuj ponownie.',
  confirmHere: 'Potwierdź w przeglądarce: {action}',
  outcome: {
    declined: 'Odrzucono. Nic nie zostało zmienione.',
    expired: 'Nikt nie odpowiedział na czas. Nic nie zostało zmienione.',
    cancelled: 'Pytanie zostało wycofane. Nic nie zostało zmienione.',
  },
  ended: {
    succeeded: 'Gotowe: {action}',
    failed: 'Nie udało się: {action}',
    declined: 'Odrzucono: {action}',
    refused: 'Niedozwolone: {action}',
    cancelled: 'Anulowano: {action}',
    unknown: 'Nie wiadomo, czy to się stało, sprawdź: {action}',
  },
};
