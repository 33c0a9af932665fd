import { arrangeApi } from '@campus/attendance/contract'
import { AppModal, call, toast, useSaving, validValues } from '@kit/web'
import { Alert, Form, Select } from 'antd'
import type { ReactNode } from 'react'
import type { Term } from './use-terms.ts'

type Values = { from_semester: number; to_semester: number }
type Props = { terms: readonly Term[]; to: number | undefined; onClose: () => void; onDone: () => void }

/** 学期复制: the arranges of one term over the length of another; what is gone or there already is named. */
export function CopyDialog({ terms, to, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const copy = async () => {
      const { copied, left } = await call(arrangeApi.copy, values, { quiet: true })
      toast.success(left.length === 0 ? `已复制 ${copied}项安排` : `已复制 ${copied}项安排，未复制：${left.join('、')}`)
    }
    if (!(await run(copy))) return
    onDone()
    onClose()
  }
  const options = terms.map(term => ({ value: term.semester_id, label: term.name }))
  const rules = [{ required: true, message: '请选择学期' }]
  return (
    <AppModal open width={480} title="学期复制" okText="复制" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>把一个学期的考勤安排复制到另一个学期，日期为该学期的起止。范围已不存在或已有安排的不复制。</p>
      <Form form={form} name="attend-copy" layout="vertical" initialValues={{ to_semester: to, from_semester: terms.find(term => term.semester_id !== to)?.semester_id }}>
        <Form.Item name="from_semester" label="从" rules={rules}><Select options={options} /></Form.Item>
        <Form.Item name="to_semester" label="复制到" rules={rules}><Select options={options} /></Form.Item>
      </Form>
    </AppModal>
  )
}
