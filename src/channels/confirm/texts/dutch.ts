import type { ConfirmTexts } from './confirm-texts.ts';

export const dutch: ConfirmTexts = {
  locale: 'nl',
  confirmTitle: 'Bevestig dit alstublieft',
  irreversible: 'Dit kan niet ongedaan worden gemaakt.',
  notFromUser: 'niet van u',
  confirmUntil: 'U kunt antwoorden tot {time}.',
  approve: 'Goedkeuren',
  decline: 'Weigeren',
  influenced: 'U krijgt deze vraag vanwege tekst die niet van u komt.',
  program:
    'Een programma dat u hebt gekoppeld wil dit doen. Keur het alleen goed als u dit net aan dat programma hebt gevraagd.',
  waits: 'U hebt dit goedgekeurd. Het programma voert het uit zodra het opnieuw vraagt.',
  running: 'U hebt dit goedgekeurd. Het wordt uitgevoerd.',
  signedInAs: 'Ingelogd als {user}',
  signIn: 'Log in deze browser in bij de toepassing en open deze pagina opnieuw.',
  again: 'Opnieuw openen',
  notYours: 'Deze vraag is voor iemand anders.',
  programRefused: 'Het programma dat vraagt kan niet zelf antwoorden. Log in deze browser in bij de toepassing.',
  gone: 'Hier valt niets te beantwoorden.',
  failed: 'Dat is niet gelukt. Probeer het opnieuw.',
  confirmHere: 'Bevestig in de browser: {action}',
  outcome: {
    declined: 'U hebt dit geweigerd. Er is niets gewijzigd.',
    expired: 'Niemand heeft op tijd geantwoord. Er is niets gewijzigd.',
    cancelled: 'De vraag is ingetrokken. Er is niets gewijzigd.',
  },
  ended: {
    succeeded: 'Klaar: {action}',
    failed: 'Mislukt: {action}',
    declined: 'Geweigerd: {action}',
    refused: 'Niet toegestaan: {action}',
    cancelled: 'Afgebroken: {action}',
    unknown: 'Onduidelijk of het is gebeurd, controleer dit: {action}',
  },
};
