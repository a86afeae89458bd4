import type { ServerTexts } from '../server-texts.ts';

export const german: ServerTexts = {
  locale: 'de',
  withdrawn: 'Der Text oben wurde zurückgenommen.',
  tourActionsTitle: 'Was Sie verlangen können',
  tourActionsText: 'Öffnen Sie den Chat und sagen Sie, was Sie brauchen: {actions}',
  errors: {
    message_too_long: 'Die Nachricht ist zu lang: höchstens {max} Zeichen sind erlaubt.',
    unsafe_message: 'Diese Nachricht kann hier nicht beantwortet werden. Bitte formulieren Sie sie anders.',
    safety_check_unavailable:
      'Die Nachricht konnte gerade nicht geprüft werden und wurde deshalb nicht beantwortet. Bitte versuchen Sie es später noch einmal.',
    out_of_scope: 'Dabei kann ich hier nicht helfen. Bitte fragen Sie etwas zu dieser Anwendung.',
    reply_withheld: 'Die Antwort hat eine Prüfung nicht bestanden und wird nicht gezeigt. Bitte fragen Sie anders.',
    too_many_images: 'Zu viele Bilder. Grenze je Nachricht: {max}.',
    image_too_large: 'Ein Bild ist zu groß: höchstens {max} MB sind erlaubt.',
    too_many_files: 'Zu viele Dateien. Grenze je Nachricht: {max}.',
    file_too_large: 'Eine Datei ist zu groß: Erlaubt sind höchstens {max} MB.',
    file_unreadable: '„{name}“ konnte nicht gelesen werden. {why}',
    rate_limited:
      'Sie haben in kurzer Zeit viele Nachrichten gesendet. Bitte warten Sie ein wenig und versuchen Sie es noch einmal.',
    budget_exceeded: 'Ihr Budget für den Assistenten ist aufgebraucht. Er kann wieder antworten ab: {when}.',
    invalid_request: 'Die Nachricht ist leer. Bitte schreiben Sie etwas.',
    overloaded:
      'Im Moment werden zu viele Nachrichten beantwortet. Bitte warten Sie ein wenig und versuchen Sie es noch einmal.',
    turn_in_progress: 'Eine andere Antwort läuft noch. Bitte warten Sie oder stoppen Sie sie.',
    resend_refused:
      'Diese Nachricht lässt sich nicht mehr ersetzen: Ihretwegen wurde schon etwas ausgeführt, oder eine andere folgte auf sie.',
    server_draining: 'Der Server wird neu gestartet. Bitte versuchen Sie es gleich noch einmal.',
    model_unavailable: 'Der Assistent ist gerade nicht erreichbar. Bitte versuchen Sie es noch einmal.',
    model_timeout: 'Der Assistent hat zu lange für die Antwort gebraucht. Bitte versuchen Sie es noch einmal.',
    model_refused: 'Der Assistent kann diese Nachricht nicht beantworten.',
    model_misconfigured:
      'Der Assistent ist nicht richtig eingerichtet. Bitte wenden Sie sich an die Betreiber dieser Anwendung.',
    model_quota_exceeded:
      'Das Kontingent des Assistenten beim Anbieter seines Modells ist aufgebraucht. Bitte wenden Sie sich an die Betreiber dieser Anwendung.',
    model_no_reply:
      'Der Assistent hat keine Antwort gegeben. Bitte versuchen Sie es noch einmal, oder fragen Sie anders.',
    reply_cut:
      'Die Antwort wurde abgeschnitten, weil sie zu lang wurde. Fragen Sie nach dem Rest oder nach einer kürzeren Antwort.',
    tool_loop_limit:
      'Der Assistent konnte die Anfrage nicht abschließen. Bitte teilen Sie sie in kleinere Schritte auf.',
    interrupted:
      'Der Server wurde unterbrochen, bevor die Antwort fertig war. Bitte prüfen Sie, was geschehen ist, bevor Sie es erneut versuchen.',
    internal: 'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
  },
  unreadable: {
    locked: 'Die Datei ist mit einem Passwort geschützt.',
    empty: 'Die Datei enthält keinen Text; vielleicht ist sie ein Scan.',
    costly: 'Die Datei ist zu groß oder zu komplex.',
    damaged: 'Die Datei ist beschädigt oder hat ein anderes Format, als ihr Name sagt.',
  },
  fileCut: 'Von „{name}“ wurde nur der Anfang gelesen: {read} von {all} Zeichen.',
  leftOut: {
    disabled: 'Weggelassen, weil solche Anhänge abgeschaltet sind: {names}.',
    noImage: 'Weggelassen, weil es kein lesbares Bild ist: {names}.',
    imageType: 'Weggelassen, weil Bilder dieses Typs nicht angenommen werden: {names}.',
    fileType: 'Weggelassen, weil Dateien dieses Typs nicht angenommen werden: {names}.',
  },
  tryAgain: 'Sie haben in kurzer Zeit viele Nachrichten gesendet. Bitte versuchen Sie es {when} noch einmal.',
  messageOverWindow: 'Die Nachricht ist mit dem, was dazugehört, zu lang für den Assistenten. Bitte kürzen Sie sie.',
  budgetHeld:
    'Der Rest Ihres Budgets ist für Antworten reserviert, die gerade geschrieben werden. Bitte versuchen Sie es gleich noch einmal.',
  actionFailed: 'Die Aktion konnte nicht ausgeführt werden.',
  actionUnavailable:
    'Das System hinter dieser Aktion ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.',
  questionNotStored:
    'Sie konnten zu einer Aktion nicht gefragt werden, weil die Frage nicht gespeichert werden konnte. Es wurde nichts geändert. Bitte versuchen Sie es später noch einmal.',
  actionUnknown:
    'Es ist nicht bekannt, ob die Aktion ausgeführt wurde. Bitte prüfen Sie das, bevor Sie es erneut versuchen.',
  roleMissing: 'Dafür ist die Rolle {roles} nötig, die Sie nicht haben. Es wurde nichts geändert.',
  actionSwitchedOff: 'Diese Aktion ist zurzeit abgeschaltet. Es wurde nichts geändert.',
  hostedTools: { WebSearch: 'Websuche', FileSearch: 'Dateisuche', CodeInterpreter: 'Code-Interpreter' },
  hostedDescription: 'Der Anbieter des KI-Modells ruft dies bei {server} auf.',
  hostedRanUnasked:
    '„{action}“ wurde ausgeführt, obwohl Sie vorher hätten gefragt werden sollen. Bitte prüfen Sie, was getan wurde.',
  honesty: {
    takenBack:
      'Die Antwort, die hier stand, behauptete eine Änderung, die nicht stattgefunden hat, und wurde deshalb zurückgenommen.',
    nothingChanged: 'Es wurde nichts geändert.',
    reallyDone: 'Das ist wirklich geschehen:',
    notLookedUp: 'Ich konnte den Eintrag, um den es geht, nicht nachschlagen und kann deshalb nichts dazu sagen.',
    unsupported: 'Was ich gefunden habe, belegt keine Antwort. Deshalb kann ich keine geben.',
    statuses: {
      succeeded: 'erledigt',
      failed: 'fehlgeschlagen',
      declined: 'von Ihnen abgelehnt, nicht ausgeführt',
      refused: 'nicht erlaubt, nicht ausgeführt',
      cancelled: 'nicht ausgeführt',
      unknown: 'nicht bekannt, bitte prüfen Sie es',
    },
  },
  argumentRules: {
    missing: 'fehlt',
    tooShort: 'ist zu kurz (Mindestlänge: {limit})',
    tooLong: 'ist zu lang (Höchstlänge: {limit})',
    tooSmall: 'muss mindestens {limit} sein',
    tooLarge: 'darf höchstens {limit} sein',
    notMore: 'muss größer als {limit} sein',
    notLess: 'muss kleiner als {limit} sein',
    tooFew: 'hat zu wenige Einträge (mindestens {limit})',
    tooMany: 'hat zu viele Einträge (höchstens {limit})',
    notOneOf: 'erlaubt: {limit}',
    notWhole: 'muss eine ganze Zahl sein',
    other: 'passt hier nicht',
  },
};
