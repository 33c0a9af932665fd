import { rankTitle } from '@kit/contract/search'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

const mine = { inbox: '消息', mine: '我的' } as const

/** The applications this person can really open, and the hall's own pages where `own` says so; one that he cannot use is absent. They open in the same window by a link of their own. */
export function Tiles({ call, go, say, text, own: with_own }: HallPage & { text: string; own: boolean }): ReactNode {
  const [opening, setOpening] = useState<string>()
  const fetchIt = useCallback(() => call('manifest', {}), [call])
  const { data, failure, again } = useLoaded(fetchIt)
  if (!data) return failure === undefined ? <Bars rows={2} /> : <Failed msg={failure} onAgain={again} />
  const fits = (title: string) => rankTitle(title, text) !== null
  const apps = data.apps.filter(({ title }) => fits(title))
  const own = with_own ? (['inbox', 'mine'] as const).filter(key => fits(mine[key])) : []
  const open = async (code: (typeof apps)[number]['code']) => {
    setOpening(code)
    try {
      window.location.assign((await call('link', { code })).url)
    } catch (cause) {
      say(sentenceOf(cause))
      setOpening(undefined)
    }
  }
  if (apps.length + own.length === 0) return <p className="empty" role="status">{text === '' ? '学校还没有启用其他应用，启用后会显示在这里' : `没有找到“${text}”，可按名称或拼音首字母查找`}</p>
  return (
    <div className="tiles">
      {own.map(key => <button key={key} type="button" className="tile" onClick={() => go(key)}><span aria-hidden>{mine[key].slice(0, 1)}</span>{mine[key]}</button>)}
      {apps.map(({ code, title, is_partner }) => (
        <button key={code} type="button" className="tile" disabled={opening !== undefined} aria-busy={opening === code} onClick={() => void open(code)}>
          <span aria-hidden>{title.slice(0, 1)}</span>
          {title}
          {is_partner && <small>合作方应用</small>}
        </button>
      ))}
    </div>
  )
}
