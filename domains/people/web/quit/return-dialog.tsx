import type { QuitRow } from '@campus/people/contract'
import { AppModal, leaving, schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { Preview } from '../change/change-preview.tsx'
import { Receipt } from '../change/change-receipt.tsx'
import { useChange } from '../change/use-change.ts'
import { validated } from '../refused.ts'
import { ClassSelect } from '../student-file/class-select.tsx'
import '../change/change.css'

type Values = { to_dept_id: string; effective_on: string; reason: string }
type Props = { row: QuitRow; onClose: () => void; onDone: () => void }
const format = 'YYYY-MM-DD'
const takes_focus = { autoFocus: true }

/** 办理返校: the class he comes back to; looked at first, then done with a receipt. */
export function ReturnDialog({ row, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const run = useChange()
  const { preview, receipt, refused, busy } = run
  const look = async () => {
    const values = await validated(form)
    if (!values) return
    const { to_dept_id, effective_on, reason } = values
    await run.look({ kind: 'RETURN', subjects: [{ user_id: row.user_id, to_dept_id }], effective_on, reason })
  }
  const close = () => {
    if (receipt) onDone()
    onClose()
  }
  const leave = receipt ? close : leaving(form, close)
  const footer = receipt ? <Button key="close" type="primary" {...takes_focus} onClick={close}>关闭</Button> : preview ? (
    <>
      <Button key="back" {...takes_focus} disabled={busy} onClick={run.back}>上一步</Button>
      <Button key="apply" type="primary" loading={busy} disabled={preview.blocks.length > 0} onClick={() => void run.apply()}>确认办理</Button>
    </>
  ) : (
    <>
      <Button key="cancel" onClick={leave}>取消</Button>
      <Button key="look" type="primary" loading={busy} onClick={() => void look()}>下一步：查看影响</Button>
    </>
  )
  return (
    <AppModal open width={640} title="办理返校" footer={<div className="change-footer">{footer}</div>} onCancel={leave}>
      {refused !== null && <Alert className="change-refused" type="error" showIcon title={refused} />}
      <div hidden={preview !== null}><ReturnForm form={form} row={row} /></div>
      {preview && !receipt && <Preview preview={preview} />}
      {receipt && <Receipt receipt={receipt} />}
    </AppModal>
  )
}

function ReturnForm({ form, row }: { form: ReturnType<typeof Form.useForm<Values>>[0]; row: QuitRow }): ReactNode {
  return (
    <Form form={form} layout="vertical" initialValues={{ effective_on: schoolToday(), reason: '' }}>
      <p className="change-who">{row.user_name}（{row.user_no}，原{row.dept_name ?? '班级不详'}）</p>
      <Form.Item name="to_dept_id" label="返校班级" rules={[{ required: true, message: '请选择班级' }]}><ClassSelect /></Form.Item>
      <Form.Item
        name="effective_on"
        label="返校日期"
        rules={[{ required: true, message: '请选择日期' }]}
        getValueProps={(day?: string) => ({ value: day ? dayjs(day) : null })}
        normalize={(day: dayjs.Dayjs | null) => day?.format(format)}
      >
        <DatePicker className="kit-fill" />
      </Form.Item>
      <Form.Item name="reason" label="原因" rules={[{ max: 200, message: '超过200个字' }]}><Input.TextArea rows={2} placeholder="选填" /></Form.Item>
    </Form>
  )
}
