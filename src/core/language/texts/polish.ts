import type { ServerTexts } from '../server-texts.ts';

export const polish: ServerTexts = {
  tourActionsTitle: 'O co można poprosić',
  tourActionsText: 'Otwórz czat i napisz, czego potrzebujesz: {actions}',
  errors: {
    message_too_long: 'Wiadomość jest za długa. Limit znaków: {max}.',
    too_many_images: 'Za dużo obrazów. Limit na wiadomość: {max}.',
    image_too_large: 'Obraz jest za duży: dozwolone jest najwyżej {max} MB.',
    rate_limited: 'Wysłano wiele wiadomości w krótkim czasie. Proszę chwilę odczekać i spróbować ponownie.',
    invalid_request: 'Wiadomość jest pusta. Napisz coś.',
    overloaded: 'W tej chwili przetwarzanych jest zbyt wiele wiadomości. Proszę chwilę odczekać i spróbować ponownie.',
    turn_in_progress: 'Inna odpowiedź jest jeszcze w toku. Poczekaj na nią lub ją zatrzymaj.',
    server_draining: 'Serwer uruchamia się ponownie. Spróbuj za chwilę.',
    model_unavailable: 'Asystent jest teraz niedostępny. Spróbuj ponownie.',
    model_timeout: 'Asystent zbyt długo nie odpowiadał. Spróbuj ponownie.',
    model_refused: 'Asystent nie może odpowiedzieć na tę wiadomość.',
    tool_loop_limit: 'Asystent nie zdołał dokończyć tej prośby. Podziel ją na mniejsze kroki.',
    interrupted:
      'Serwer został przerwany, zanim odpowiedź była gotowa. Sprawdź, co zostało zrobione, zanim spróbujesz ponownie.',
    internal: 'Coś poszło nie tak. Spróbuj ponownie.',
  },
  actionFailed: 'Nie udało się wykonać działania.',
  actionUnavailable: 'System, który wykonuje tę czynność, jest teraz nieosiągalny. Spróbuj ponownie później.',
  actionUnknown: 'Nie wiadomo, czy działanie zostało wykonane. Sprawdź to, zanim spróbujesz ponownie.',
  roleMissing: 'Potrzebna jest do tego rola {roles}, której nie masz. Nic nie zostało zmienione.',
  actionSwitchedOff: 'Ta akcja jest obecnie wyłączona. Nic nie zostało zmienione.',
};
