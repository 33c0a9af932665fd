import { CheckCircleFilled } from '@ant-design/icons'
import { freshmenArrivalApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmenSeason } from '@campus/people/contract'
import { call, useSaving } from '@kit/web'
import { Alert, Button, Input } from 'antd'
import type { InputRef } from 'antd'
import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { useFreshmenChanged } from './use-seasons.ts'

/** 报到: a scanner types the number of an application and Enter; a big tick says who has come and into which class. */
export function CheckinDesk({ season }: { season: FreshmenSeason }): ReactNode {
  const [code, setCode] = useState('')
  const [come, show] = useState<{ row: FreshmanRow; is_repeat: boolean } | null>(null)
  const field = useRef<InputRef>(null)
  const { busy, refused, run } = useSaving()
  const changed = useFreshmenChanged()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '' || busy) return
    show(null)
    const is_done = await run(async () => show(await call(freshmenArrivalApi.checkin, { season_id: season.id, code: code.trim() }, { quiet: true })))
    // The next one in the queue is scanned at once; what was refused stays to be corrected.
    if (is_done) setCode('')
    field.current?.select()
    if (is_done) await changed()
  }
  return (
    <form className="fresh-checkin" aria-label="报到" onSubmit={event => void send(event)}>
      <Input ref={field} aria-label="报名编号或证件号" placeholder="扫描通知书条码，或输入报名编号、证件号后回车" maxLength={50} allowClear value={code} onChange={event => setCode(event.target.value)} />
      <Button type="primary" htmlType="submit" loading={busy} disabled={code.trim() === ''}>报到</Button>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      {come && (
        <p className="fresh-tick" role="status">
          <CheckCircleFilled aria-hidden />
          <b>{come.row.user_name}</b><span>{come.row.dept_name}</span><span>学号 {come.row.student_no}</span>{come.is_repeat && <small>此前已报到</small>}
        </p>
      )}
    </form>
  )
}
