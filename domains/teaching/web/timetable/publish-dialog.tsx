import { versionApi } from '@campus/teaching/contract'
import type { Timetable, Version } from '@campus/teaching/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, leaving, schoolToday, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Form, Input } from 'antd'
import type { ModalProps } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Preview = Reply<typeof versionApi.publish>
type Values = { effective_on: ReturnType<typeof dayjs>; note?: string }

/** 发布: from which day, and what it does; clashes stand here as sentences. */
export function PublishDialog({ table, version, onClose, onDone }: { table: Timetable; version: Version; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'teaching.effectivePast': 'effective_on', 'teaching.outsidePeriod': 'effective_on' })
  const [preview, show] = useState<Preview | null>(null)
  const send = async (is_preview: boolean) => {
    const values = await validValues(form)
    if (!values) return
    const asked = { id: version.id, effective_on: values.effective_on.format('YYYY-MM-DD'), note: values.note ?? '', preview: is_preview }
    if (!(await run(async () => show(await call(versionApi.publish, asked, { quiet: true })), is_preview ? undefined : '已发布')) || is_preview) return
    onDone()
    onClose()
  }
  const monday = dayjs(schoolToday()).add(1, 'week').startOf('week').add(1, 'day')
  return (
    <AppModal open width={560} title={`发布：${table.name} v${version.version_no}`} okText="发布" confirmLoading={busy} onOk={() => void send(false)} onCancel={leaving(form, onClose)} footer={lookFooter(() => void send(true))}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="publish-version" layout="vertical" initialValues={{ effective_on: monday }} onValuesChange={() => show(null)}>
        <Form.Item name="effective_on" label="生效日期" required rules={[{ required: true, message: '请选择生效日期' }]} extra="该日之前的课不变；今天已开始的课不变"><DatePicker className="kit-fill" minDate={dayjs(schoolToday())} /></Form.Item>
        <Form.Item name="note" label="说明"><Input maxLength={200} showCount /></Form.Item>
      </Form>
      {preview && (
        <Alert
          type={preview.blocking > 0 ? 'error' : 'info'} showIcon title={preview.blocking > 0 ? `存在${preview.blocking}处冲突，不能发布` : `影响${preview.days}天、${preview.classes}个班、${preview.teachers}位教师，变更${preview.changed}节${preview.unplaced > 0 ? `，仍有${preview.unplaced}节未排` : ''}`}
          description={preview.conflicts.length > 0 && <ul className="timetable-findings">{preview.conflicts.map(one => <li key={one.id}>{one.message}</li>)}</ul>}
        />
      )}
    </AppModal>
  )
}

/** The foot of a dialog whose effects can be looked at first. */
function lookFooter(look: () => void): ModalProps['footer'] {
  return (_, { OkBtn, CancelBtn }) => <><Button className="timetable-look" onClick={look}>查看影响</Button><CancelBtn /><OkBtn /></>
}
