import type { ConfirmTexts } from './confirm-texts.ts';

export const german: ConfirmTexts = {
  locale: 'de',
  confirmTitle: 'Bitte bestätigen',
  irreversible: 'Das lässt sich nicht rückgängig machen.',
  repeats: {
    done: 'Genau dasselbe wurde schon ausgeführt ({time}).',
    tried: 'Genau dasselbe wurde schon versucht ({time}). Bitte prüfen Sie, ob es gewirkt hat.',
    open: 'Genau dasselbe wurde schon verlangt und ist noch nicht fertig ({time}).',
  },
  notFromUser: 'nicht von Ihnen',
  undeclared: 'Von der Aktion nicht vorgesehen; auch die Namen hat die KI gewählt:',
  confirmUntil: 'Sie können bis {time} antworten.',
  approve: 'Zustimmen',
  decline: 'Ablehnen',
  influenced: 'Sie werden gefragt, weil Text dabei ist, der nicht von Ihnen stammt.',
  readFrom: 'Der Assistent hat Text gelesen aus:',
  origins: {
    action: 'Ergebnis einer Aktion',
    document: 'Dokument',
    web: 'Webseite',
    mcp: 'verbundener Werkzeug-Server',
    remote: 'andere Quelle',
    page: 'Seite der Anwendung',
    model: 'frühere Antwort',
  },
  program:
    'Ein Programm, das Sie verbunden haben, möchte dies tun. Stimmen Sie nur zu, wenn Sie es gerade von diesem Programm verlangt haben.',
  programNamed:
    'Ein Programm, das sich {program} nennt, möchte dies tun. Stimmen Sie nur zu, wenn Sie es gerade von diesem Programm verlangt haben.',
  waits: 'Sie haben zugestimmt. Das Programm führt es aus, sobald es wieder anfragt.',
  running: 'Sie haben zugestimmt. Es wird ausgeführt.',
  close: 'Sie können diese Seite schließen.',
  signedInAs: 'Angemeldet als {user}',
  signIn: 'Bitte melden Sie sich in diesem Browser bei der Anwendung an. Öffnen Sie dann diese Seite erneut.',
  again: 'Erneut öffnen',
  notYours: 'Diese Frage ist für jemand anderen.',
  programRefused:
    'Das fragende Programm kann nicht selbst antworten. Bitte melden Sie sich in diesem Browser bei der Anwendung an.',
  gone: 'Hier gibt es nichts zu beantworten.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  confirmHere: 'Bitte im Browser bestätigen: {action}',
  outcome: {
    declined: 'Sie haben abgelehnt. Es wurde nichts geändert.',
    expired: 'Niemand hat rechtzeitig geantwortet. Es wurde nichts geändert.',
    cancelled: 'Die Frage wurde zurückgezogen. Es wurde nichts geändert.',
  },
  ended: {
    succeeded: 'Erledigt: {action}',
    failed: 'Fehlgeschlagen: {action}',
    declined: 'Abgelehnt: {action}',
    refused: 'Nicht erlaubt: {action}',
    cancelled: 'Abgebrochen: {action}',
    unknown: 'Unklar, ob es geschehen ist, bitte prüfen: {action}',
  },
};
