import { delegateApi } from '@campus/people/contract'
import type { DelegationRow } from '@campus/people/contract'
import { AppModal, call, leaving, schoolToday, useSaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { PersonPicker } from '../picker/person-picker.tsx'
import { validated } from '../refused.ts'
import { DeptSelect } from './dept-select.tsx'

type Values = { dept_id?: string; from_user_id?: string; to_user_id?: string; valid_from?: string; valid_to: string; reason?: string }
type Props = { which: 'student' | 'staff'; row: DelegationRow | null; onClose: () => void; onDone: () => void }

const format = 'YYYY-MM-DD'
/** A day is kept as its text. */
const day_item = {
  getValueProps: (day?: string) => ({ value: day ? dayjs(day) : null }),
  normalize: (day: dayjs.Dayjs | null) => day?.format(format),
}

/** A new delegation, or an earlier end of one. */
export function DelegateDialog({ which, row, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validated(form)
    if (!values || !(await run(() => send(row, values), row ? '设置成功' : '委托成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title={row ? `提前结束：${row.dept_name}（${row.to_user_name}）` : '新增委托'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="delegate" layout="vertical" initialValues={{ valid_from: schoolToday(), valid_to: row?.valid_to }}>
        {!row && <Who which={which} />}
        {!row && <Form.Item name="valid_from" label="开始日期" rules={[{ required: true, message: '请选择开始日期' }]} {...day_item}><DatePicker className="kit-fill" /></Form.Item>}
        <Form.Item name="valid_to" label="最后一天" rules={[{ required: true, message: '请选择最后一天' }]} extra={row ? '只能比原来更早，当天 24:00 结束' : '最长90天，当天 24:00 自动结束'} {...day_item}><DatePicker className="kit-fill" /></Form.Item>
        {!row && <Form.Item name="reason" label="原因" rules={[{ max: 100, message: '超过100个字' }]}><Input placeholder="选填，例如：外出培训" /></Form.Item>}
      </Form>
    </AppModal>
  )
}

function Who({ which }: { which: Props['which'] }): ReactNode {
  return (
    <>
      <Form.Item name="dept_id" label="部门" rules={[{ required: true, message: '请选择部门' }]}><DeptSelect which={which} /></Form.Item>
      <Form.Item name="from_user_id" label="委托人"><PersonPicker of={['teacher']} placeholder="不选则为本人" /></Form.Item>
      <Form.Item name="to_user_id" label="代理人" rules={[{ required: true, message: '请选择代理人' }]}><PersonPicker of={['teacher']} /></Form.Item>
    </>
  )
}

function send(row: DelegationRow | null, { dept_id = '', from_user_id, to_user_id = '', valid_from, valid_to, reason }: Values) {
  if (row) return call(delegateApi.update, { id: row.id, row_version: row.row_version, valid_to }, { quiet: true })
  return call(delegateApi.add, { dept_id, to_user_id, valid_to, valid_from, from_user_id: from_user_id ?? undefined, reason }, { quiet: true })
}
