import { useCallback, useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { FaceAnswer } from './face-answer.tsx'
import { lookUp, postAct } from './wire.ts'
import type { Closed, Opened } from './wire.ts'

type Shown = { kind: 'loading' } | { kind: 'failed'; msg: string; is_over: boolean } | Closed | Opened

/** 人脸信息授权 for who got the link: prove who one is, read, answer; afterwards the same address shows the answer (chapter 40 §5). */
export function FacePage({ token }: { token: string }): ReactNode {
  const [shown, show] = useState<Shown>({ kind: 'loading' })
  const [tail, setTail] = useState('')
  const load = useCallback(async () => {
    const answer = await lookUp(token)
    if (answer.kind === 'ok') return show(answer.data)
    const status = answer.kind === 'refused' ? answer.status : null
    // The form of the address is all that a first look may get wrong.
    const msg = status === 400 ? '链接不完整，请重新打开学校发送的链接' : answer.msg
    return show({ kind: 'failed', msg, is_over: status !== null && status < 500 })
  }, [token])
  useEffect(() => void load(), [load])
  const opened = (typed: string, page: Opened) => {
    setTail(typed)
    show(page)
  }
  if (shown.kind === 'loading')
    return (
      <main className="visit" aria-busy="true">
        <p role="status">正在打开…</p>
      </main>
    )
  if (shown.kind === 'failed') {
    return (
      <main className="visit">
        <h1>无法打开授权页面</h1>
        <p role="alert">{shown.msg}</p>
        {!shown.is_over && (
          <button type="button" onClick={() => void load()}>
            重试
          </button>
        )}
      </main>
    )
  }
  return (
    <main className="visit" data-ready={shown.kind}>
      <header>
        <p>{shown.school_name}</p>
        <h1>人脸信息授权</h1>
      </header>
      {shown.kind === 'closed' ? (
        <CheckForm token={token} closed={shown} opened={opened} />
      ) : (
        <FaceAnswer token={token} tail={tail} page={shown} changed={show} />
      )}
    </main>
  )
}

const proofs = { id_no: '证件号码', mobile: '手机号' } as const

type CheckProps = { token: string; closed: Closed; opened: (tail: string, page: Opened) => void }

/** Who asks and for whom, and the end of a number that only the right person knows. */
function CheckForm({ token, closed, opened }: CheckProps): ReactNode {
  const [tail, setTail] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { is_child, by } = closed
  const check = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return undefined
    setBusy(true)
    const answer = await postAct(token, { act: 'check', tail })
    setBusy(false)
    if (answer.kind === 'ok') return opened(tail, answer.data)
    setRefused(answer.msg)
    return document.getElementById('tail')?.focus()
  }
  if (by === null) return <Unknown closed={closed} />
  const error = { 'aria-invalid': refused !== null, 'aria-describedby': 'tail-error' }
  return (
    <form noValidate onSubmit={event => void check(event)}>
      <p>{questionOf(closed)}</p>
      <div className="visit-field">
        <label htmlFor="tail">{`${is_child ? '您（监护人）' : '您'}的${proofs[by]}后四位`}<b aria-hidden="true">*</b></label>
        <input id="tail" value={tail} maxLength={4} required autoComplete="off" {...error} onChange={event => setTail(event.target.value)} />
        <p id="tail-error" className="visit-error" role="alert">{refused}</p>
      </div>
      <button className="visit-main" type="submit" disabled={busy}>{busy ? '正在核对…' : '核对身份'}</button>
    </form>
  )
}

/** The school knows nothing by which he could prove who he is. */
function Unknown({ closed }: { closed: Closed }): ReactNode {
  return (
    <div className="visit-closed">
      <p>{questionOf(closed)}</p>
      <p role="alert">学校没有登记您的证件号码和手机号，无法在此核对身份。请登录办事大厅，在“我的－人脸授权”中确认，或联系班主任。</p>
    </div>
  )
}

function questionOf({ school_name, user_name, is_child }: Closed): string {
  const whose = is_child ? `您的孩子${user_name}` : `您（${user_name}）`
  return `${school_name}申请采集${whose}的人脸照片，用于校园出入口通行，请您${is_child ? '作为监护人' : ''}确认。`
}
