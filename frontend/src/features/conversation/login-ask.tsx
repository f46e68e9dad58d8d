import { useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { event, LoginOffer } from "../../backend/types";
import { useKandev } from "../../state/use";
import { Failure } from "../../ui/failure";
import { LoginWays } from "../../ui/login-ways";
import { loginWords } from "../../ui/login-words";
import { useWork } from "../../ui/use-work";

/** Under a session whose agent wants a login: the ways it has. Choosing one starts the session again. */
export function LoginAsk({ session }: { session: event.Session }) {
  const { backend } = useKandev();
  const [offer, setOffer] = useState<LoginOffer | null>(null);
  const { busy, error, setError, run } = useWork();
  const { id, since } = session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every start may be told of other ways.
  useEffect(() => {
    let left = false;
    backend.loginMethods(id).then(
      (found) => !left && setOffer(found),
      (thrown) => !left && setError(loginWords.failed(sentence(thrown))),
    );
    return () => {
      left = true;
    };
  }, [backend, id, since]);
  const choose = (method: string) => {
    document.getElementById("composer")?.focus(); // the button that was pressed goes
    void run(() => backend.authenticate(id, method));
  };
  return (
    <section className="login-ask" aria-label={loginWords.name}>
      {offer && <LoginWays offer={offer} disabled={busy} onChoose={choose} />}
      {offer && <span className="faint small">{loginWords.afterwards}</span>}
      <Failure text={error} />
    </section>
  );
}
