import { most_roster_mb, syncApi } from '@campus/people/contract'
import type { SyncKind, SyncLog } from '@campus/people/contract'
import { AppDrawer, call, instantText, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { ApartmentOutlined, TeamOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Empty } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import './sync.css'

const kind_words: Readonly<Record<SyncKind, string>> = { dept: '部门班级', user: '学生和教职工' }
/** Where the dry run of a template is looked at. */
const homes = { department: ['/Organization', '部门班级'], student: ['/ParentsRecord', '学生'], teacher: ['/TeachersRecord', '教职工'] } as const

/** 名册同步: a roster of an upstream system becomes ordinary imports; every one that was handed in, with the way to its check. */
export function SyncDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const { busy, refused, run } = useSaving()
  const logs = useQuery({ queryKey: [syncApi.logs.call], queryFn: async ({ signal }) => (await call(syncApi.logs, {}, { signal, quiet: true })).list })
  const send = (kind: SyncKind, file: File) => run(async () => {
    await call(syncApi[kind], {}, { file, quiet: true })
    await logs.refetch()
  }, '已读取名册，请在下方逐一核对')
  return (
    <AppDrawer size={640} title="名册同步" onClose={onClose}>
      <p className="sync-about">把教务、学籍等上游系统导出的 OneRoster CSV（1.1、1.2 版，zip 压缩包，不超过{most_roster_mb}MB）转为普通的导入：先核对，确认后才写入，30天内可以撤销。先同步部门班级，再同步人员；上游标记移除的人员和部门不会自动处理。</p>
      <div className="sync-picks">
        <Pick icon={<ApartmentOutlined aria-hidden />} label="同步部门班级" busy={busy} take={file => void send('dept', file)} />
        <Pick icon={<TeamOutlined aria-hidden />} label="同步人员" busy={busy} take={file => void send('user', file)} />
      </div>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      <h3>同步记录</h3>
      {!logs.data && <PartState query={logs} rows={3} />}
      {logs.data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有同步过名册" />}
      <ul className="sync-logs" aria-label="同步记录">{logs.data?.map(log => <LogLine key={log.id} log={log} onClose={onClose} />)}</ul>
    </AppDrawer>
  )
}

function LogLine({ log: { kind, file_name, batches, removed, created_at, created_by_name }, onClose }: { log: SyncLog; onClose: () => void }): ReactNode {
  return (
    <li>
      <b>{kind_words[kind]}</b> <span>{file_name}</span> <small>{instantText(created_at)} · {created_by_name}</small>
      {removed > 0 && <small className="sync-removed">上游已移除 {removed} 项，请人工办理离校或调整组织架构</small>}
      <span>{batches.map(batch => <BatchLink key={batch.batch_no} batch={batch} onClose={onClose} />)}</span>
    </li>
  )
}

function BatchLink({ batch: { batch_no, template, lines }, onClose }: { batch: SyncLog['batches'][number]; onClose: () => void }): ReactNode {
  const home = Object.entries(homes).find(([code]) => code === template)?.[1]
  if (!home) return null
  const [to, what] = home
  return <Link className="kit-link" to={to} search={{ import: template, batch_no }} onClick={onClose}>核对{what} {lines} 行</Link>
}

function Pick({ icon, label, busy, take }: { icon: ReactNode; label: string; busy: boolean; take: (file: File) => void }): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={icon} loading={busy} onClick={() => field.current?.click()}>{label}</Button>
      <input ref={field} type="file" hidden accept=".zip" aria-label={label} onChange={event => {
        const [file] = event.target.files ?? []
        event.target.value = ''
        if (file) take(file)
      }} />
    </>
  )
}
