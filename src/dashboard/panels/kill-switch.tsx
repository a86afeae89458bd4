import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KillSwitchFigures } from '../../wire/admin-metrics.ts';
import type { PageContext } from '../page-context.ts';
import { type FigureSource, setKillSwitch } from '../read-figures.ts';

interface KillSwitchProps extends FigureSource {
  readonly context: PageContext;
  readonly figures: KillSwitchFigures;
}

/** What the operator refuses now, and a button that changes it after a question. */
export function KillSwitch({ context: { texts }, figures, address, token }: KillSwitchProps): JSX.Element {
  const [answered, setAnswered] = useState<KillSwitchFigures | null>(null);
  const [problem, setProblem] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  // Newer figures know it as well.
  useEffect(() => setAnswered(null), [figures]);
  const { writes, tools, isSetHere, canSet } = answered ?? figures;
  const isOn = writes || tools.length > 0;
  const change = (): void => {
    setProblem('');
    setKillSwitch({ address, token }, !isSetHere).then(setAnswered, () => setProblem(texts.switchFailed));
  };
  return (
    <section aria-labelledby="switch-title">
      <h2 id="switch-title">{texts.killSwitch}</h2>
      <div class={isOn ? 'panel switch is-on' : 'panel switch'}>
        <p role="status">
          <strong>{writes ? texts.switchOn : isOn ? texts.switchPartly : texts.switchOff}</strong>{' '}
          {isSetHere ? texts.switchedHere : isOn ? texts.switchedByFile : ''}
        </p>
        {tools.length === 0 ? null : <p class="hint">{tools.join(', ')}</p>}
        {canSet && (isSetHere || !writes) ? (
          <button type="button" onClick={() => dialog.current?.showModal()}>
            {isSetHere ? texts.turnOff : texts.turnOn}
          </button>
        ) : null}
        <p class="hint">{problem === '' ? texts.switchHint : problem}</p>
      </div>
      <dialog ref={dialog} class="panel" aria-labelledby="switch-question">
        <p id="switch-question">{isSetHere ? texts.askTurnOff : texts.askTurnOn}</p>
        <form method="dialog" class="answers">
          <button class="main" onClick={change}>
            {isSetHere ? texts.turnOff : texts.turnOn}
          </button>
          <button>{texts.cancel}</button>
        </form>
      </dialog>
    </section>
  );
}
