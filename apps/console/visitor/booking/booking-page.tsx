import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { BookingForm } from './booking-form.tsx'
import { lookUp, postVisit } from './wire.ts'
import type { Book, Pass } from './wire.ts'

const VisitQr = lazy(() => import('./qr.tsx').then(part => ({ default: part.VisitQr })))
const refresh_ms = 15_000
const approved = 1
type Shown = { kind: 'loading' } | { kind: 'failed'; msg: string; is_gone: boolean } | Book | Pass

/** 访客预约 for whoever has the link: book, and afterwards one's own visit with its code and QR (chapter 35 §4). */
export function BookingPage({ token: first }: { token: string }): ReactNode {
  const [token, setToken] = useState(first)
  const [shown, show] = useState<Shown>({ kind: 'loading' })
  const load = useCallback(async (quiet = false) => {
    const answer = await lookUp(token)
    if (answer.kind === 'ok') show(answer.data)
    else if (!quiet) show({ kind: 'failed', msg: answer.msg, is_gone: answer.kind === 'refused' && answer.status < 500 })
  }, [token])
  useEffect(() => void load(), [load])
  const waits = shown.kind === 'pass' && (shown.may_cancel || shown.state === approved)
  useEffect(() => {
    if (!waits) return undefined
    const timer = setInterval(() => void load(true), refresh_ms)
    return () => clearInterval(timer)
  }, [waits, load])
  const booked = (visit: Pass) => {
    // The visitor's own address: he comes back to it, and nobody else has it.
    window.history.replaceState(null, '', `/VisitorBook?key=${visit.token}`)
    setToken(visit.token)
    show(visit)
  }
  if (shown.kind === 'loading') return <main className="visit" aria-busy="true"><p role="status">正在打开…</p></main>
  if (shown.kind === 'failed') {
    return (
      <main className="visit">
        <h1>无法打开预约页面</h1>
        <p role="alert">{shown.is_gone ? '链接已失效或不完整，请重新扫码，或向学校索取新的链接。' : shown.msg}</p>
        {!shown.is_gone && <button type="button" onClick={() => void load()}>重试</button>}
      </main>
    )
  }
  return (
    <main className="visit" data-ready={shown.kind}>
      <header><p>{shown.school_name}</p><h1>访客预约</h1></header>
      {shown.kind === 'pass' ? <OwnVisit visit={shown} changed={show} /> : shown.is_open ? <><Notice text={shown.notice} /><BookingForm token={token} book={shown} booked={booked} /></> : <p className="visit-closed" role="alert">学校未开放在线预约，请联系被访人</p>}
    </main>
  )
}

function Notice({ text }: { text: string }): ReactNode {
  return text === '' ? null : <p className="book-notice">{text}</p>
}

const words: Readonly<Record<number, string>> = { 0: '已提交，等待被访人同意。请保留本页面，同意后这里会出现通行码和二维码。', 1: '请在来访时间到校，在校门出示二维码或通行码。', 2: '预约未通过，请联系学校。', 4: '您已到校。离校时请在校门出示二维码。' }

function OwnVisit({ visit, changed }: { visit: Pass; changed: (visit: Pass) => void }): ReactNode {
  const [refused, setRefused] = useState<string | null>(null)
  const [is_asked, ask] = useState(false)
  const cancel = async () => {
    if (!is_asked) return ask(true)
    const answer = await postVisit(visit.token, { act: 'cancel' })
    if (answer.kind === 'ok' && answer.data.visit) changed(answer.data.visit)
    else if (answer.kind !== 'ok') setRefused(answer.msg)
    return ask(false)
  }
  return (
    <section className="book-pass" aria-label="我的预约">
      <p className="book-state" role="status">{visit.state_label}</p>
      <p>{words[visit.state] ?? ''}</p>
      {visit.qr !== null && <Suspense fallback={<p>正在生成二维码…</p>}><VisitQr text={visit.qr} /></Suspense>}
      {visit.pass_code !== null && <p>通行码 <b className="book-code">{visit.pass_code}</b></p>}
      <dl>
        <dt>单号</dt><dd>{visit.apply_no}</dd>
        <dt>访客</dt><dd>{visit.visitor_name}</dd>
        <dt>被访人</dt><dd>{visit.host}</dd>
        <dt>时间</dt><dd>{`${timeText(visit.begin_at)} 至 ${timeText(visit.end_at)}`}</dd>
        <dt>通行门</dt><dd>{visit.route}</dd>
      </dl>
      {refused !== null && <p className="visit-refused" role="alert">{refused}</p>}
      {visit.may_cancel && <button type="button" onClick={() => void cancel()}>{is_asked ? '再次点击，确定取消' : '取消预约'}</button>}
    </section>
  )
}

function timeText(instant: string): string {
  return new Date(instant).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: false })
}
