import { userDeleteApi } from '@campus/people/contract'
import type { DeleteBatchRow } from '@campus/people/contract'
import { call, Can, downloadFile, instantText, serverNow } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { batch_colors, batch_names, holdText } from './delete-words.ts'
import type { BatchActs } from './use-batch-acts.ts'

const PasswordDialog = lazy(() => import('./password-dialog.tsx').then(part => ({ default: part.PasswordDialog })))

const reason_above = 1000

/** The chosen batch: where it stands, and what may be done. */
export function BatchHead({ batch, acts }: { batch: DeleteBatchRow; acts: BatchActs }): ReactNode {
  const [confirming, confirm] = useState(false)
  const { batch_no, state, counts, people, waits_for } = batch
  const open = (counts.holding ?? 0) + (counts.blocked ?? 0) + (counts.checking ?? 0)
  const troubled = (counts.blocked ?? 0) + (counts.error ?? 0)
  const save = (endpoint: typeof userDeleteApi.exportAll | typeof userDeleteApi.exportErrors) => (reason: string) => downloadFile(endpoint, { batch_no, reason }, { quiet: true })
  return (
    <header className="delete-head">
      <h2>{batch_no}</h2>
      <Tag color={batch_colors[state]}>{batch_names[state]}</Tag>
      <p>{aboutText(batch)}</p>
      {waits_for !== null && <Can code={userDeleteApi.confirm}><Button type="primary" danger onClick={() => confirm(true)}>{waits_for === 'second' ? '复核确认' : '确认'}</Button></Can>}
      {open > 0 && <Can code={userDeleteApi.cancel}><Button onClick={() => void acts.cancel(batch)}>取消</Button></Can>}
      {troubled > 0 && <Can code={userDeleteApi.retry}><Button onClick={() => void acts.retry(batch)}>重试</Button></Can>}
      <ExportButton code={userDeleteApi.exportAll} label="导出全部" title={`导出 ${batch_no}`} total={people} unit="人" kept="24 小时" reason_above={reason_above} run={save(userDeleteApi.exportAll)} />
      <ExportButton code={userDeleteApi.exportErrors} label="导出异常" title={`导出异常 ${batch_no}`} run={save(userDeleteApi.exportErrors)} />
      <Suspense>
        {confirming && (
          <PasswordDialog
            title={waits_for === 'second' ? '复核确认' : '确认删除'}
            touches={<p>将删除批次 {batch_no} 中的 <b>{people}</b> 人。保留期内可以取消，保留期过后不能恢复。</p>}
            ok="确认删除"
            done="已确认"
            run={({ recheck_token }) => call(userDeleteApi.confirm, { no: batch_no, recheck_token }, { quiet: true })}
            onClose={() => confirm(false)}
            onDone={acts.refresh}
          />
        )}
      </Suspense>
    </header>
  )
}

function aboutText(batch: DeleteBatchRow): string {
  const { created_by, created_at, confirmed_by, second_by, reason } = batch
  const confirmed = [confirmed_by, second_by].filter(name => name !== null)
  return [
    holdText(batch, serverNow()),
    `${created_by ?? '系统'} ${instantText(created_at)} 提出`,
    confirmed.length > 0 ? `${confirmed.join('、')} 确认` : undefined,
    reason === '' ? undefined : `原因：${reason}`,
  ].filter(part => part !== undefined).join(' · ')
}
