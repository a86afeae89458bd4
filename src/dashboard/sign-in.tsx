import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageContext } from './page-context.ts';
import type { Reading } from './read-figures.ts';

interface SignInProps {
  readonly context: PageContext;
  /** Whether anybody can sign in. */
  readonly canSignIn: boolean;
  readonly refusal: Extract<Reading, { readonly kind: 'unauthenticated' | 'forbidden' }>;
  /** True when a token was refused, false when there was no token. */
  readonly hasToken: boolean;
  readonly signIn: (token: string) => void;
}

/** Says why there are no figures, and takes a token. It is never sent as a form: the page keeps it in memory. */
export function SignIn({ context, canSignIn, refusal, hasToken, signIn }: SignInProps): JSX.Element {
  const { texts } = context;
  const [token, setToken] = useState('');
  // Signing in removes the form and the focus in it. The page's main part takes the focus, so that keyboard users stay in the page.
  useEffect(() => () => document.querySelector('main')?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    // The user may have copied the whole header.
    signIn(token.trim().replace(/^Bearer\s+/i, ''));
  };
  return (
    <section class="panel sign-in" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{texts.signIn}</h2>
      <p role="status">{canSignIn ? reasonOf(refusal, hasToken, texts) : texts.signInImpossible}</p>
      {canSignIn ? (
        <form onSubmit={submit}>
          <label for="token">{texts.token}</label>
          <input
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="token-hint"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <p id="token-hint" class="hint">
            {texts.tokenHint}
          </p>
          <button type="submit" class="main">
            {texts.showFigures}
          </button>
        </form>
      ) : null}
    </section>
  );
}

function reasonOf(refusal: SignInProps['refusal'], hasToken: boolean, texts: PageContext['texts']): string {
  if (refusal.kind === 'unauthenticated') return hasToken ? texts.tokenRefused : texts.signInNeeded;
  return refusal.role === null ? texts.refused(refusal.detail) : texts.roleMissing(refusal.role);
}
