import { alert_kinds, alertApi } from '@campus/attendance/contract'
import type { AlertRow } from '@campus/attendance/contract'
import { AppModal, call, instantText, useSaving } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const kinds: Readonly<Record<string, string>> = alert_kinds

/** Alerts that wait for somebody, the newest first. */
export function AlertRail(): ReactNode {
  const query = useCall(alertApi.page, { state: 'open' }, { keep: true })
  const { open, close, dialog } = useDialog()
  const handle = (alert: AlertRow) => open(<AckDialog alert={alert} onClose={close} onDone={() => void query.refetch()} />)
  return (
    <aside className="attend-rail" aria-label="考勤提醒">
      <h2>提醒</h2>
      <Loaded query={query} rows={3} empty="没有待处理的提醒" isEmpty={({ list }) => list.length === 0}>
        {({ list }) => (
          <ul>
            {list.map(alert => (
              <li key={alert.alert_id}>
                <p><Tag color="red">{kinds[alert.kind]}</Tag><b>{alert.user_name}</b> {alert.dept_name}</p>
                <p>{alert.text}</p>
                <small>{instantText(alert.raised_at)}</small> <Button size="small" aria-label={`处理 ${alert.user_name ?? ''}`} onClick={() => handle(alert)}>处理</Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {dialog}
    </aside>
  )
}

function AckDialog({ alert, onClose, onDone }: { alert: AlertRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [note, write] = useState('')
  const { busy, refused, run } = useSaving()
  const save = async () => {
    if (!(await run(() => call(alertApi.ack, { id: alert.alert_id, note }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={`处理提醒：${alert.user_name ?? ''}`} okText="确定" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{alert.text}</p>
      <Input.TextArea aria-label="处理说明" placeholder="处理说明，例如：在医务室" maxLength={200} rows={3} showCount value={note} onChange={event => write(event.target.value)} />
    </AppModal>
  )
}
