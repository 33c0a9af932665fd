import type { FaceState } from '@kit/terminal-protocol/console'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ask } from '../shell/ask.ts'
import { clockOf, dateTimeOf } from '../shell/format.ts'
import { useWatched } from '../shell/use-work.ts'
import { choose, useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'
import { reasonOf, resultOf, wayOf } from '../pages/pass.ts'
import { Door } from './door.tsx'
import { Panel } from './panel.tsx'
import { ways } from './ways.ts'
import type { Way } from './ways.ts'

const [every_ms, passed, date_signs] = [500, 1, 10]

/** The screen of a terminal, 800 by 1280: the time while nobody is there, and whoever comes. Keys 1 to 4 are its four buttons. */
export function Screen(): ReactNode {
  const { t } = useWords()
  const fetchIt = useCallback(() => ask<FaceState>('GET', 'face'), [])
  const { data, is_away, again } = useWatched(fetchIt, every_ms)
  const [way, setWay] = useState<Way>()
  const language = data?.language === 'EN' ? 'en' : 'zh'
  useEffect(() => choose(language, false), [language])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setWay(undefined)
      const chosen = event.target instanceof HTMLInputElement ? undefined : ways[Number(event.key) - 1]
      if (!chosen) return
      // The key would be typed into the box that opens.
      event.preventDefault()
      setWay(chosen)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (!data || is_away) return <main className="screen screen-dark"><p>{t(is_away ? 'say.offline' : 'app.loading')}</p></main>
  if (data.off || data.brightness === 0) return <Dark say={data.off ? 'screen.powered_off' : 'screen.sleeping'} hint={!data.off} />
  return (
    <main className="screen" style={{ filter: `brightness(${dim(data.brightness)}%)` }} data-testing={data.testing ?? undefined}>
      <header><span>{`${data.name} · ${data.sn}`}</span><span>{t(data.online ? 'screen.online' : 'screen.offline')} · {t('screen.volume', { n: data.volume })}</span></header>
      <h1>{clockOf(data.now)}</h1>
      <p className="date">{dateTimeOf(data.now).slice(0, date_signs)}</p>
      {data.first_password !== null && <p className="first">{t('screen.first')}<b>{data.first_password}</b></p>}
      <Result of={data} />
      <Door door={data.door} />
      {data.testing !== null && <p className="testing" role="status">{t('screen.testing', { part: t(`part.${data.testing}`) })}</p>}
      <div className="ways">
        {ways.map((one, at) => <button key={one} type="button" aria-keyshortcuts={String(at + 1)} onClick={() => setWay(one)}><small>{at + 1}</small>{t(`way.${one}`)}</button>)}
      </div>
      {way !== undefined && (
        <Panel
          key={way}
          way={way}
          onClose={() => setWay(undefined)}
          onShown={() => {
            setWay(undefined)
            again()
          }}
        />
      )}
    </main>
  )
}

/** Who came and what became of it, for some seconds; else what to do. */
function Result({ of: { last } }: { of: FaceState }): ReactNode {
  const { t } = useWords()
  if (!last) return <section className="result"><p>{t('screen.idle')}</p></section>
  const is_in = last.result === passed
  const reason = reasonOf(last.reason)
  return (
    <section className={is_in ? 'result result-in' : 'result result-out'} role="status">
      <strong>{t(resultOf(last.result))}</strong>
      <p>{last.name || t('dash.stranger')}</p>
      <small>{t(wayOf(last.way))}{reason !== undefined && ` · ${t(reason)}`}</small>
      {is_in && <p>{t('screen.welcome')}</p>}
    </section>
  )
}

function Dark({ say, hint }: { say: Key; hint: boolean }): ReactNode {
  const { t } = useWords()
  return <main className="screen screen-dark"><p>{t(say)}</p>{hint && <small>{t('screen.sleeping_hint')}</small>}</main>
}

/** Brightness 1 is dim and still to be read. */
function dim(brightness: number): number {
  const darkest = 40
  return darkest + ((100 - darkest) * brightness) / 100
}
