import { registerEntryApi } from '@campus/people/contract'
import type { RegisterEntryRow } from '@campus/people/contract'
import { AppDrawer, call, CallError, leaving, toast, useSaving } from '@kit/web'
import { Alert, Button, Checkbox, Descriptions, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useEntriesChanged } from './use-register.ts'

type Cells = Readonly<Record<string, string>>

/** One entry: what was filled in, what passing changes, what the school has to add; then 通过 or 拒绝. */
export function EntryDrawer({ row, onClose }: { row: RegisterEntryRow; onClose: () => void }): ReactNode {
  const [cells, setCells] = useState<Cells>({})
  const [left_out, leaveOut] = useState<readonly string[]>([])
  const [is_new, setNew] = useState(row.is_new)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<Cells>({})
  const { busy, refused, run } = useSaving()
  const changed = useEntriesChanged()
  const finish = (text: string) => {
    toast.success(text)
    changed()
    onClose()
  }
  const pass = async () => {
    const added = { [row.id]: { cells, left_out: [...left_out], is_new } }
    const done = await run(() => call(registerEntryApi.pass, { ids: [row.id], added }, { quiet: true }).catch((cause: unknown) => {
      setWrong(rowErrors(cause, row.id))
      throw cause
    }))
    if (done) finish('已通过')
  }
  const refuse = async () => {
    if (await run(() => call(registerEntryApi.refuse, { ids: [row.id], reason }, { quiet: true }))) finish('已拒绝')
  }
  const missing = row.errors.filter(({ prop }) => prop !== '')
  const general = wrong[''] ?? row.errors.find(({ prop }) => prop === '')?.msg
  const is_typed = reason.trim() !== '' || Object.values(cells).some(text => text.trim() !== '')
  return (
    <AppDrawer size={640} title={`${row.user_name} · ${row.apply_no}`} onClose={leaving(is_typed, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {row.reason !== null && <Alert type="info" showIcon title={`拒绝原因：${row.reason}`} />}
      {row.batch_no !== null && <Alert type="success" showIcon title={`已写入档案，导入批次 ${row.batch_no}，30天内可撤销`} />}
      <Descriptions size="small" bordered column={2} items={row.filled.map(({ prop, label, value }) => ({ key: prop, label, children: value }))} />
      {row.state === 'waiting' && (
        <div className="register-decide">
          {general !== undefined && <Alert type="warning" title={general} />}
          {(row.match_user_id !== null || !row.is_new) && <Checkbox checked={!is_new} onChange={event => setNew(!event.target.checked)}>作为信息变更处理（档案中已有该人员）</Checkbox>}
          {!is_new && row.diff.length > 0 && <Changes row={row} left_out={left_out} leaveOut={leaveOut} />}
          <Missing issues={missing} cells={cells} wrong={wrong} fill={(prop, text) => setCells({ ...cells, [prop]: text })} />
          <div className="register-buttons">
            <Button type="primary" loading={busy} onClick={() => void pass()}>通过</Button>
            <Input aria-label="拒绝原因" placeholder="拒绝原因，填写人可以看到" maxLength={200} value={reason} onChange={event => setReason(event.target.value)} />
            <Button danger disabled={reason.trim() === '' || busy} onClick={() => void refuse()}>拒绝</Button>
          </div>
        </div>
      )}
    </AppDrawer>
  )
}

/** How the school writes what no family can know; the same as in an import. */
const samples: Readonly<Record<string, string>> = { grade: '一年级', class_name: '1班', student_no: '20250101' }

type MissingProps = { issues: RegisterEntryRow['errors']; cells: Cells; wrong: Cells; fill: (prop: string, text: string) => void }

/** Fields that stand in the way of passing; the school fills them in. */
function Missing({ issues, cells, wrong, fill }: MissingProps): ReactNode {
  if (issues.length === 0) return null
  return (
    <>
      <h3>需要学校补充</h3>
      {issues.map(({ prop, label, msg }) => (
        <label key={prop} className="register-add">
          <span>{label || prop}</span>
          <Input value={cells[prop] ?? ''} maxLength={200} status={wrong[prop] ? 'error' : ''} placeholder={samples[prop] === undefined ? msg : `${msg}，如 ${samples[prop]}`} onChange={event => fill(prop, event.target.value)} />
          {wrong[prop] && <small role="alert">{wrong[prop]}</small>}
        </label>
      ))}
    </>
  )
}

type ChangeProps = { row: RegisterEntryRow; left_out: readonly string[]; leaveOut: (props: readonly string[]) => void }

/** Field by field: before → after, each taken or left out. */
function Changes({ row, left_out, leaveOut }: ChangeProps): ReactNode {
  return (
    <ul className="register-changes" aria-label="变更内容">
      {row.diff.map(({ prop, label, before, after }) => (
        <li key={prop}>
          <Checkbox checked={!left_out.includes(prop)} onChange={event => leaveOut(event.target.checked ? left_out.filter(one => one !== prop) : [...left_out, prop])}>{label}</Checkbox>
          <del>{before || '空'}</del><ins>{after || '空'}</ins>
        </li>
      ))}
    </ul>
  )
}

/** Errors of this entry by field; '' is the entry as a whole. */
function rowErrors(cause: unknown, id: string): Cells {
  if (!(cause instanceof CallError)) return {}
  return Object.fromEntries(cause.errors.filter(({ field }) => field.startsWith(`${id}.`)).map(({ field, msg }) => [field.slice(id.length + 1), msg]))
}
