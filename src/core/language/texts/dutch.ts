import type { ServerTexts } from '../server-texts.ts';

export const dutch: ServerTexts = {
  tourActionsTitle: 'Wat u kunt vragen',
  tourActionsText: 'Open de chat en zeg wat u nodig hebt: {actions}',
  errors: {
    message_too_long: 'Het bericht is te lang: maximaal {max} tekens zijn toegestaan.',
    unsafe_message: 'Dit bericht kan hier niet worden beantwoord. Formuleer het op een andere manier.',
    safety_check_unavailable:
      'Het bericht kon nu niet worden gecontroleerd en is daarom niet beantwoord. Probeer het later opnieuw.',
    out_of_scope: 'Daar kan ik hier niet mee helpen. Stel een vraag over deze toepassing.',
    reply_withheld:
      'Het antwoord is niet door een controle gekomen en wordt niet getoond. Stel de vraag op een andere manier.',
    too_many_images: 'Te veel afbeeldingen. Limiet per bericht: {max}.',
    image_too_large: 'Een afbeelding is te groot: maximaal {max} MB is toegestaan.',
    rate_limited: 'U hebt in korte tijd veel berichten verzonden. Wacht even en probeer het opnieuw.',
    invalid_request: 'Het bericht is leeg. Schrijf iets.',
    overloaded: 'Op dit moment worden te veel berichten beantwoord. Wacht even en probeer het opnieuw.',
    turn_in_progress: 'Er loopt nog een ander antwoord. Wacht erop of stop het.',
    server_draining: 'De server wordt opnieuw gestart. Probeer het zo meteen nog eens.',
    model_unavailable: 'De assistent is nu niet bereikbaar. Probeer het opnieuw.',
    model_timeout: 'De assistent deed er te lang over om te antwoorden. Probeer het opnieuw.',
    model_refused: 'De assistent kan dit bericht niet beantwoorden.',
    tool_loop_limit: 'De assistent kon dit verzoek niet afronden. Vraag het in kleinere stappen.',
    interrupted:
      'De server werd onderbroken voordat het antwoord klaar was. Controleer wat er is gedaan voordat u het opnieuw probeert.',
    internal: 'Er ging iets mis. Probeer het opnieuw.',
  },
  modelKeyRefused: 'De assistent is niet juist ingesteld. Meld dit aan de beheerders van deze toepassing.',
  messageOverWindow: 'Het bericht is, met wat erbij hoort, te lang voor de assistent. Maak het korter.',
  actionFailed: 'De actie kon niet worden voltooid.',
  actionUnavailable: 'Het systeem achter deze actie is op dit moment niet bereikbaar. Probeer het later opnieuw.',
  actionUnknown: 'Het is niet bekend of de actie is voltooid. Controleer dit voordat u het opnieuw probeert.',
  roleMissing: 'Hiervoor is de rol {roles} nodig, die u niet hebt. Er is niets gewijzigd.',
  actionSwitchedOff: 'Deze actie is op dit moment uitgeschakeld. Er is niets gewijzigd.',
  hostedTools: {
    WebSearch: 'Zoeken op het web',
    FileSearch: 'Zoeken in bestanden',
    CodeInterpreter: 'Code-interpreter',
  },
  hostedDescription: 'De aanbieder van het AI-model doet deze aanroep bij {server}.',
  hostedRanUnasked:
    '“{action}” is uitgevoerd, hoewel u dit eerst gevraagd had moeten worden. Controleer wat er is gedaan.',
  argumentRules: {
    missing: 'ontbreekt',
    tooShort: 'is te kort (minimale lengte: {limit})',
    tooLong: 'is te lang (maximale lengte: {limit})',
    tooSmall: 'moet {limit} of meer zijn',
    tooLarge: 'moet {limit} of minder zijn',
    notMore: 'moet meer dan {limit} zijn',
    notLess: 'moet minder dan {limit} zijn',
    tooFew: 'heeft te weinig onderdelen (minimaal {limit})',
    tooMany: 'heeft te veel onderdelen (maximaal {limit})',
    notOneOf: 'toegestaan: {limit}',
    notWhole: 'moet een geheel getal zijn',
    other: 'past hier niet',
  },
};
