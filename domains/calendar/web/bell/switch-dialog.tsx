import { bellApi, grade_codes, stageOf } from '@campus/calendar/contract'
import type { Bell, BellChange } from '@campus/calendar/contract'
import { AppModal, call, leaving, schoolToday, useDictionary, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Checkbox, DatePicker, Form, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { lookFooter } from '../look-footer.tsx'
import { useCalendarChanged } from '../use-changed.ts'
import { weekday_names } from '../words.ts'

type Day = ReturnType<typeof dayjs>
type Values = { grades: (typeof grade_codes)[number][]; weekdays: number[]; from: Day | null; to: Day | null }
type Preview = { changes: readonly BellChange[]; dates: number }

const days = [1, 2, 3, 4, 5, 6, 7]
const workdays = [1, 2, 3, 4, 5]

/** Lets a bell ring for grades from a day on; the lessons whose clock time changes are shown first. */
export function SwitchDialog({ bell, onClose }: { bell: Bell; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const changed = useCalendarChanged()
  const grades = useDictionary('GRADE')
  const [preview, show] = useState<Preview | null>(null)
  const nameOf = (grade: string) => grades.find(({ value }) => value === grade)?.label ?? grade
  const send = async (is_preview: boolean) => {
    const values = await validValues(form)
    if (!values) return
    const asked = { bell_id: bell.id, grades: values.grades, week_flags: days.map(day => values.weekdays.includes(day)), from: values.from?.format('YYYY-MM-DD') ?? '', to: values.to?.format('YYYY-MM-DD') ?? null, preview: is_preview }
    if (!(await run(async () => show(await call(bellApi.switch, asked, { quiet: true })), is_preview ? undefined : '设置成功')) || is_preview) return
    await changed()
    onClose()
  }
  const initial: Values = { grades: grade_codes.filter(grade => stageOf(grade) === bell.stage), weekdays: workdays, from: dayjs(schoolToday()).add(1, 'day'), to: null }
  return (
    <AppModal
      open width={640} title={`切换到：${bell.name}`} okText="保存" confirmLoading={busy} onOk={() => void send(false)} onCancel={leaving(form, onClose)}
      footer={lookFooter(() => void send(true))}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="switch-bell" layout="vertical" initialValues={initial} onValuesChange={() => show(null)}>
        <Form.Item name="grades" label="年级" required rules={[{ required: true, message: '请选择年级' }]}><Select mode="multiple" options={grade_codes.map(value => ({ value, label: nameOf(value) }))} /></Form.Item>
        <Form.Item name="weekdays" label="星期" required rules={[{ required: true, message: '请至少选择一天' }]}><Checkbox.Group options={days.map(value => ({ value, label: weekday_names[value] }))} /></Form.Item>
        <div className="term-fields">
          <Form.Item name="from" label="切换日期" required rules={[{ required: true, message: '请选择切换日期' }]}><DatePicker className="kit-fill" minDate={dayjs(schoolToday())} /></Form.Item>
          <Form.Item name="to" label="结束日期" tooltip="到这一天恢复原来的作息；不填则一直使用" dependencies={['from']} rules={[afterFrom]}><DatePicker className="kit-fill" /></Form.Item>
        </div>
      </Form>
      {preview && (
        <Alert
          type="info" title={preview.changes.length === 0 ? `影响${preview.dates}天，课时时间不变` : `影响${preview.dates}天，${preview.changes.length}节课的时间变化`}
          description={preview.changes.length > 0 && <ul className="bell-changes">{preview.changes.map(({ grade, section, before, after }) => <li key={`${grade} ${section}`}>{nameOf(grade)} 第{section}节：{spanText(before)} → {spanText(after)}</li>)}</ul>}
        />
      )}
    </AppModal>
  )
}

const afterFrom = ({ getFieldValue }: { getFieldValue: (name: string) => Day | null }) => ({
  validator: (_: unknown, to: Day | null) => {
    const from = getFieldValue('from')
    return from && to && !to.isAfter(from) ? Promise.reject(new Error('结束日期必须晚于切换日期')) : Promise.resolve()
  },
})

function spanText(span: BellChange['before']): string {
  return span ? `${span.begin}–${span.end}` : '无'
}
