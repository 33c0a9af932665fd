import { freshmenApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmanState } from '@campus/people/contract'
import { AppModal, call, leaving, useSaving } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useFreshmenChanged } from './use-seasons.ts'

const may_leave: readonly FreshmanState[] = ['0', '1', '2', '3', '4']

/** 录取, 不录取 and 放弃 of the chosen applications, each offered to those whose state lets it. */
export function ListActs({ rows, done }: { rows: readonly FreshmanRow[]; done: () => void }): ReactNode {
  const [giving_up, giveUp] = useState(false)
  const changed = useFreshmenChanged()
  const { busy, act } = useAct([], changed)
  const passed = rows.filter(row => row.state === '2')
  const here = rows.filter(row => may_leave.includes(row.state))
  const admit = async (is_admitted: boolean) => {
    const admitted = await act(() => call(freshmenApi.admit, { ids: passed.map(row => row.id), is_admitted }, { quiet: true }), {
      ask: !is_admitted && { title: `${passed.length} 名新生将记为未录取，不能恢复，确定吗？`, ok: '不录取' },
      done: ({ changed: n }) => (is_admitted ? `已录取 ${n} 人` : `${n} 人未录取`),
    })
    if (admitted) done()
  }
  return (
    <>
      {passed.length > 0 && <Button type="primary" loading={busy} onClick={() => void admit(true)}>录取（{passed.length}）</Button>}
      {passed.length > 0 && <Button danger disabled={busy} onClick={() => void admit(false)}>不录取</Button>}
      {here.length > 0 && <Button onClick={() => giveUp(true)}>放弃（{here.length}）</Button>}
      {giving_up && <GiveUpDialog rows={here} onClose={() => giveUp(false)} onDone={() => { giveUp(false); done(); void changed() }} />}
    </>
  )
}

function GiveUpDialog({ rows, onClose, onDone }: { rows: readonly FreshmanRow[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const { busy, refused, run } = useSaving()
  const send = async () => {
    if (await run(() => call(freshmenApi.giveUp, { ids: rows.map(row => row.id), reason: reason.trim() }, { quiet: true }), `已登记 ${rows.length} 人放弃入学`)) onDone()
  }
  return (
    <AppModal open title={`登记放弃入学（${rows.length} 人）`} okText="确定" okButtonProps={{ danger: true, disabled: reason.trim() === '' }} confirmLoading={busy} onOk={() => void send()} onCancel={leaving(reason.trim() !== '', onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{rows.slice(0, 10).map(row => row.user_name).join('、')}{rows.length > 10 ? ` 等 ${rows.length} 人` : ''}放弃入学后名额空出，同一证件号可以重新报名。</p>
      <Input.TextArea aria-label="放弃原因" rows={2} maxLength={200} showCount placeholder="请填写原因" value={reason} onChange={event => setReason(event.target.value)} />
    </AppModal>
  )
}
