import type { PostApi } from '@campus/publishing/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Radio, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { api: PostApi; id: string; reply_kind: number; onClose: () => void; onDone: () => void }
const [unread, uncommitted] = [1, 2] as const

/** 提醒: those who have not read or submitted, of the chosen classes, with the exact number before (chapter 60 rules 10 and 11). */
export function RemindDialog({ api, id, reply_kind, onClose, onDone }: Props): ReactNode {
  const report = useCall(api.report, { notice_id: id })
  const [scope, setScope] = useState<1 | 2>(unread)
  const [dept_ids, setDepts] = useState<string[]>([])
  const { busy, refused, run } = useSaving()
  const rows = (report.data?.by_dept ?? []).filter(row => dept_ids.length === 0 || dept_ids.includes(row.dept_id))
  const open = rows.reduce((sum, row) => sum + row.expected - (scope === unread ? row.read : row.submitted), 0)
  const send = async () => {
    const sent = await run(() => call(api.alert, { notice_id: id, scope, ...(dept_ids.length > 0 ? { dept_ids } : {}) }, { quiet: true }), '提醒已发送')
    if (!sent) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={520} title="发送提醒" okText={`提醒 ${open} 个家庭或人员`} okButtonProps={{ disabled: open === 0 }} confirmLoading={busy} onOk={() => void send()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Loaded query={report}>
        {({ by_dept, unreachable }) => (
          <Form layout="vertical">
            <Form.Item label="提醒对象"><Radio.Group value={scope} onChange={event => setScope(event.target.value === uncommitted ? uncommitted : unread)} options={[{ value: unread, label: '未读' }, ...(reply_kind > 0 ? [{ value: uncommitted, label: '未提交' }] : [])]} /></Form.Item>
            <Form.Item label="班级/部门" extra="不选表示全部"><Select mode="multiple" allowClear value={dept_ids} onChange={setDepts} options={by_dept.map(row => ({ value: row.dept_id, label: `${row.dept_name}（未读${row.expected - row.read}）` }))} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
            {unreachable > 0 && <Alert type="info" showIcon title={`${unreachable}个家庭或人员没有可用的账号，提醒发不到，可在统计的“未触达”中查看并电话告知`} />}
          </Form>
        )}
      </Loaded>
    </AppModal>
  )
}
