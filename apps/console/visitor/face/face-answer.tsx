import { useState } from 'react'
import type { ReactNode } from 'react'
import { postAct } from './wire.ts'
import type { Act, Opened } from './wire.ts'

const [agree, refuse] = [1, 2] as const
type Asked = 'withdraw' | 'notme'
const questions: Readonly<Record<Asked, string>> = {
  withdraw: '撤回后照片和特征立即删除，设备逐台清除并核验，需要改用校园卡或二维码通行。确定撤回吗？',
  notme: '设备将立即停用这张照片，由学校核对后重新采集。确定照片不是本人吗？',
}

type Props = { token: string; tail: string; page: Opened; changed: (page: Opened) => void }

/** What is asked, in full, and the two answers of equal size; once answered the state, the receipt, and the ways back (chapter 40 §5). */
export function FaceAnswer({ token, tail, page, changed }: Props): ReactNode {
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (act: Act) => {
    if (busy) return
    setBusy(true)
    const answer = await postAct(token, act)
    setBusy(false)
    setRefused(answer.kind === 'ok' ? null : answer.msg)
    if (answer.kind === 'ok') changed(answer.data)
  }
  const { protocol, state, may_answer, has_signed, is_child } = page
  const answer = (given: number) => void send({ act: 'answer', tail, answer: given, protocol_version: protocol.version })
  return (
    <>
      <State page={page} />
      <Facts page={page} />
      {refused !== null && <p className="visit-refused" role="alert">{refused}</p>}
      {!may_answer && <p className="visit-closed" role="status">{`该授权由${is_child ? '本人' : '监护人'}确认，您无需操作。`}</p>}
      {may_answer && !has_signed && state !== 'given' && (
        <div className="face-answers">
          <button type="button" disabled={busy} onClick={() => answer(agree)}>同意</button>
          <button type="button" disabled={busy || state === 'refused'} onClick={() => answer(refuse)}>不同意</button>
        </div>
      )}
      <WaysBack page={page} busy={busy} send={act => send({ act, tail })} />
    </>
  )
}

/** 撤回授权 and 这不是我, each asked once more. */
function WaysBack({ page, busy, send }: { page: Opened; busy: boolean; send: (act: Asked) => Promise<void> }): ReactNode {
  const [asked, ask] = useState<Asked | null>(null)
  const { has_signed, has_face, is_child } = page
  if (asked === null) {
    return (
      <div className="face-answers">
        {has_signed && <button type="button" disabled={busy} onClick={() => ask('withdraw')}>撤回授权</button>}
        {has_face && <button type="button" disabled={busy} onClick={() => ask('notme')}>{`这不是${is_child ? '我的孩子' : '我'}`}</button>}
      </div>
    )
  }
  return (
    <section className="face-facts" aria-label="请再次确认">
      <p role="alert">{questions[asked]}</p>
      <div className="face-answers">
        <button type="button" disabled={busy} onClick={() => void send(asked).then(() => ask(null))}>确定</button>
        <button type="button" disabled={busy} onClick={() => ask(null)}>返回</button>
      </div>
    </section>
  )
}

const state_words = {
  asked: '等待您的答复',
  waiting_other: '您已同意，还需另一方确认',
  given: '已授权',
  refused: '未授权，照片已删除或不会使用',
} as const

function State({ page: { state, receipt, answered_at } }: { page: Opened }): ReactNode {
  return (
    <section className="face-facts" aria-label="授权状态">
      <p className="face-state" role="status">
        {state_words[state]}
      </p>
      {receipt !== null && answered_at !== null && (
        <p>
          回执号 <span className="face-receipt">{receipt}</span>，{dayText(answered_at)}
        </p>
      )}
    </section>
  )
}

function Facts({ page: { user_name, photo, protocol, devices_total, expires_at } }: { page: Opened }): ReactNode {
  const where = devices_total > 0 ? `学校网络内的${devices_total}台通行设备` : '学校网络内的通行设备'
  return (
    <section className="face-facts" aria-label="授权内容">
      {photo !== null && <img className="face-photo" src={photo} alt={`${user_name}的照片`} />}
      <h2>{protocol.title}</h2>
      <p className="face-text">{protocol.text}</p>
      <ul>
        <li>用途：校园出入口和指定场所的通行识别。</li>
        <li>保存：照片和特征加密保存在学校，只传到{where}，不提供给校外。</li>
        <li>期限：离校、撤回或照片更换后删除，并逐台设备核验。</li>
        <li>不同意不影响通行：可使用校园卡或二维码。</li>
        <li>撤回：{dayText(expires_at)}前可在本页面撤回，之后在办事大厅“我的－人脸授权”中撤回，或联系学校。</li>
      </ul>
    </section>
  )
}

function dayText(instant: string): string {
  return new Date(instant).toLocaleString('zh-CN', {
    timeZone: 'Asia/Shanghai',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
}
