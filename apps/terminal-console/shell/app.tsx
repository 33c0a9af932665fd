import type { Entered, Greeting } from '@kit/terminal-protocol/console'
import { useEffect, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { AdvancedPage } from '../pages/advanced.page.tsx'
import { DashboardPage } from '../pages/dashboard.page.tsx'
import { DebugPage } from '../pages/debug.page.tsx'
import { InfoPage } from '../pages/info.page.tsx'
import { LoginPage } from '../pages/login.page.tsx'
import { OnlinePage } from '../pages/online.page.tsx'
import { PasswordPage } from '../pages/password.page.tsx'
import { useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'
import { ask, keepCsrf, whenLost } from './ask.ts'
import { LanguageChoice } from './language.tsx'
import { Away, Question, Waiting } from './parts.tsx'
import { answerLeaving, go, mayLeave, useLeaving, usePlace } from './place.ts'
import { say, Toast } from './toast.tsx'

type Session = { csrf: string; must_change: boolean }
const sections: readonly [path: string, name: Key][] = [['/', 'nav.dashboard'], ['/online', 'nav.online'], ['/advanced', 'nav.advanced'], ['/info', 'nav.info'], ['/debug', 'nav.debug'], ['/password', 'nav.password']]

/** The console: whoever has no session signs in, and everything else stands behind that. */
export function App(): ReactNode {
  const { t } = useWords()
  const [greeting, setGreeting] = useState<Greeting>()
  const [session, setSession] = useState<Session | null>(null)
  const [is_away, setAway] = useState(false)
  const greet = () => void ask<Greeting>('GET', 'greeting').then(
    found => {
      setAway(false)
      setGreeting(found)
      enter(found.session)
    },
    () => setAway(true),
  )
  const enter = (found: Session | null) => {
    keepCsrf(found?.csrf ?? '')
    if (found && location.pathname === '/login') void go('/')
    setSession(found)
  }
  useEffect(greet, [])
  useEffect(() => whenLost(() => {
    enter(null)
    say(t('say.session'), true)
  }), [t])
  useEffect(() => {
    document.title = greeting ? `${t('app.title')} ${greeting.sn}` : t('app.title')
  }, [t, greeting])
  if (!greeting) return is_away ? <main><Away onAgain={greet} /></main> : <Waiting />
  return (
    <>
      {session ? <Inside greeting={greeting} session={session} onChanged={() => enter({ ...session, must_change: false })} onGone={() => enter(null)} /> : <LoginPage greeting={greeting} onEntered={(entered: Entered) => enter(entered)} />}
      <Toast />
    </>
  )
}

type InsideProps = { greeting: Greeting; session: Session; onChanged: () => void; onGone: () => void }

function Inside({ greeting, session, onChanged, onGone }: InsideProps): ReactNode {
  const { t } = useWords()
  const place = usePlace()
  const is_leaving = useLeaving()
  const [is_logging_out, setLoggingOut] = useState(false)
  const leave = async () => {
    setLoggingOut(false)
    await ask('POST', 'logout').catch(() => undefined)
    onGone()
  }
  const restarted = (said: Key = 'say.restarting') => {
    say(t(said))
    onGone()
  }
  return (
    <div className="console">
      <header className="head">
        <p><b>{greeting.name}</b> <span>{greeting.sn}</span></p>
        <LanguageChoice />
        <button type="button" className="link" onClick={() => void mayLeave().then(may => may && setLoggingOut(true))}>{t('nav.logout')}</button>
      </header>
      {!session.must_change && <Menu place={place} />}
      <main>
        <h1>{t(sections.find(([path]) => path === place)?.[1] ?? 'nav.dashboard')}</h1>
        {session.must_change ? <PasswordPage must_change onChanged={onChanged} /> : <Page place={place} sn={greeting.sn} onRestart={restarted} />}
      </main>
      {is_logging_out && <Question text={t('say.logout')} onNo={() => setLoggingOut(false)} onYes={() => void leave()} />}
      {is_leaving && <Question text={t('say.unsaved')} yes={t('do.leave')} no={t('do.stay')} onNo={() => answerLeaving(false)} onYes={() => answerLeaving(true)} />}
    </div>
  )
}

function Menu({ place }: { place: string }): ReactNode {
  const { t } = useWords()
  const follow = (event: MouseEvent, path: string) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void go(path)
  }
  return (
    <nav aria-label={t('app.menu')}>
      {sections.map(([path, name]) => <a key={path} href={path} aria-current={path === place ? 'page' : undefined} onClick={event => follow(event, path)}>{t(name)}</a>)}
    </nav>
  )
}

function Page({ place, sn, onRestart }: { place: string; sn: string; onRestart: (said?: Key) => void }): ReactNode {
  if (place === '/online') return <OnlinePage />
  if (place === '/advanced') return <AdvancedPage onRestart={onRestart} />
  if (place === '/info') return <InfoPage />
  if (place === '/debug') return <DebugPage sn={sn} onRestart={onRestart} />
  if (place === '/password') return <PasswordPage must_change={false} onChanged={() => undefined} />
  return <DashboardPage />
}
