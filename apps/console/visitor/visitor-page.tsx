import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { StatusForm } from './status-form.tsx'
import { SubmitForm } from './submit-form.tsx'
import type { Visit } from './visit.ts'
import { getForm } from './wire.ts'
import type { VisitorForm } from './wire.ts'

type Shown = { kind: 'loading' } | { kind: 'form'; form: VisitorForm } | { kind: 'failed'; msg: string; is_gone: boolean }

/** 信息登记 for whoever has the link: fill in, or ask how an entry stands. */
export function VisitorPage({ visit }: { visit: Visit }): ReactNode {
  const [shown, show] = useState<Shown>({ kind: 'loading' })
  const [tab, setTab] = useState<'fill' | 'status'>('fill')
  const load = useCallback(async () => {
    show({ kind: 'loading' })
    const answer = await getForm(visit.key, visit.field_scene)
    show(answer.kind === 'ok' ? { kind: 'form', form: answer.data } : { kind: 'failed', msg: answer.msg, is_gone: answer.kind === 'refused' && answer.status < 500 })
  }, [visit])
  useEffect(() => void load(), [load])
  if (shown.kind === 'loading') return <main className="visit" aria-busy="true"><p role="status">正在打开…</p></main>
  if (shown.kind === 'failed') {
    return (
      <main className="visit">
        <h1>无法打开登记表</h1>
        <p role="alert">{shown.is_gone ? '链接已失效或不完整，请重新扫码，或向学校索取新的链接。' : shown.msg}</p>
        {!shown.is_gone && <button type="button" onClick={() => void load()}>重试</button>}
      </main>
    )
  }
  const { form } = shown
  return (
    <main className="visit" data-ready="form">
      <header>
        <p>{form.school_name}</p>
        <h1>{form.title}</h1>
        {form.materials.length > 0 && <p>须核验的材料：{form.materials.map(one => one.name).join('、')}</p>}
        {form.is_open && form.end_time && <p>截止时间：{timeText(form.end_time)}</p>}
      </header>
      <nav aria-label="办理">
        <button type="button" aria-pressed={tab === 'fill'} onClick={() => setTab('fill')}>填写登记</button>
        <button type="button" aria-pressed={tab === 'status'} onClick={() => setTab('status')}>查询进度</button>
      </nav>
      {tab === 'status' && <StatusForm visit={visit} />}
      {form.lottery && <p className="visit-lottery">分班抽签种子摘要（SHA-256）：{form.lottery.seed_hash}{form.lottery.seed === null ? '' : `，种子：${form.lottery.seed}`}</p>}
      {tab === 'fill' && (form.is_open ? <SubmitForm visit={visit} form={form} /> : <p className="visit-closed" role="alert">{form.message}</p>)}
    </main>
  )
}

function timeText(instant: string): string {
  return new Date(instant).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: false })
}
