import type { MyConsent } from '@campus/faces/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

const words: Readonly<Record<MyConsent['state'], string>> = { none: '学校尚未询问', asked: '等待您的答复', waiting_other: '您已同意，等待另一方确认', given: '已同意', refused: '已拒绝' }
const [agree, refuse, withdraw] = [1, 2, 3] as const

/** 人脸授权: what the school wants to do with my face or my child's, and my answer, which I can take back (chapter 40 §2.3). */
export function Faces({ call, go, say }: HallPage): ReactNode {
  const fetchIt = useCallback(() => call('faces', {}), [call])
  const { data, failure, again } = useLoaded(fetchIt)
  const [busy, setBusy] = useState(false)
  const answer = async (person: MyConsent, given: 1 | 2 | 3) => {
    setBusy(true)
    try {
      const { receipt } = await call('answerFace', { user_id: person.user_id, answer: given, protocol_version: data?.protocol?.version ?? 0 })
      say(`已提交，回执号 ${receipt}`)
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
    again()
  }
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const { protocol, list } = data
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      {(protocol === null || list.length === 0) && <p className="empty">没有需要您确认的人脸授权</p>}
      {protocol !== null && list.map(person => <Consent key={person.user_id} person={person} protocol={protocol} busy={busy} onAnswer={given => void answer(person, given)} />)}
    </>
  )
}

type ConsentProps = { person: MyConsent; protocol: { title: string; text: string }; busy: boolean; onAnswer: (given: 1 | 2 | 3) => void }

/** One person's photograph, what is done with it, and two answers of the same size. */
function Consent({ person, protocol, busy, onAnswer }: ConsentProps): ReactNode {
  const [asked, ask] = useState(false)
  const { state, may_answer, photo_url, about, is_child, user_name, dept_name } = person
  const is_given = state === 'given' || state === 'waiting_other'
  return (
    <Card title={is_child ? `${user_name}（${dept_name ?? '学生'}）` : '我的人脸'} side={<span className={state === 'given' ? 'tag' : 'tag tag-warn'}>{words[state]}</span>}>
      {photo_url !== null && <img className="consent-photo" src={photo_url} alt={`${user_name}的照片`} />}
      <Facts person={person} />
      {about !== null && <p className="empty">{about}</p>}
      {may_answer && is_given && !asked && <button type="button" className="button" onClick={() => ask(true)}>撤回授权</button>}
      {may_answer && is_given && asked && (
        <>
          <p>撤回后照片立即删除，所有设备清除人脸，请使用校园卡或二维码通行。</p>
          <div className="consent-answers">
            <button type="button" className="button" disabled={busy} onClick={() => ask(false)}>取消</button>
            <button type="button" className="button" disabled={busy} onClick={() => onAnswer(withdraw)}>确定撤回</button>
          </div>
        </>
      )}
      {may_answer && (state === 'asked' || state === 'refused') && (
        <>
          <details className="consent-text" open={state === 'asked'}><summary>{protocol.title}</summary><p>{protocol.text}</p></details>
          <div className="consent-answers">
            <button type="button" className="button" disabled={busy || state === 'refused'} onClick={() => onAnswer(refuse)}>不同意</button>
            <button type="button" className="button" disabled={busy} onClick={() => onAnswer(agree)}>同意</button>
          </div>
        </>
      )}
    </Card>
  )
}

function Facts({ person }: { person: MyConsent }): ReactNode {
  const { devices_total, erasing, receipt, answered_at } = person
  const facts: readonly [name: string, value: string | null][] = [
    ['用途', '校园出入口人脸通行'], ['其他方式', '校园卡、二维码，不同意不受影响'], ['下发设备', devices_total > 0 ? `${devices_total}台` : null],
    ['正在清除', erasing ? `${erasing.acked}/${erasing.total} 台设备已清除` : null], ['回执号', receipt === null ? null : `${receipt}（${(answered_at ?? '').slice(0, 10)}）`],
  ]
  return <dl className="facts">{facts.map(([name, value]) => value !== null && <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
}
