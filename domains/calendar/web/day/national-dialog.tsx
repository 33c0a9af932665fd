import { calendarErrors, specialApi } from '@campus/calendar/contract'
import type { NationalLine } from '@campus/calendar/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, InputNumber, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { dayText, kindName } from '../words.ts'

const verdicts = { new: '新增', same: '无变化', update: '更新', kept: '保留学校设置' } as const
const colors = { new: 'green', same: 'default', update: 'blue', kept: 'gold' } as const

/** Loads the official holidays of a year; shows first what would change. */
export function NationalDialog({ year, onClose }: { year: number; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<{ year: number }>()
  const { busy, refused, run } = useSaving(form, { [calendarErrors.nationalUnknown.id]: 'year' })
  const changed = useCalendarChanged()
  const [lines, show] = useState<readonly NationalLine[] | null>(null)
  const send = async (preview: boolean) => {
    const values = await validValues(form)
    if (!values || !(await run(async () => show((await call(specialApi.national, { ...values, preview }, { quiet: true })).lines), preview ? undefined : '导入成功')) || preview) return
    await changed()
    onClose()
  }
  const is_ready = lines?.some(({ verdict }) => verdict === 'new' || verdict === 'update') === true
  return (
    <AppModal open width={560} title="导入法定节假日" okText="保存" okButtonProps={{ disabled: !is_ready }} confirmLoading={busy} onOk={() => void send(false)} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="national" layout="inline" initialValues={{ year }} onValuesChange={() => show(null)}>
        <Form.Item name="year" label="年份" required rules={[{ required: true, type: 'integer', min: 2000, max: 2100, message: '请输入2000-2100之间的整数' }]}><InputNumber /></Form.Item>
        <Button loading={busy} onClick={() => void send(true)}>查看变化</Button>
      </Form>
      <p>来源：国务院办公厅通知。学校改过的日期会保留，不影响今天之前的日期。</p>
      {lines && <ul className="calendar-national">{lines.map(line => <li key={`${line.begin_date} ${line.kind}`}><Tag color={colors[line.verdict]}>{verdicts[line.verdict]}</Tag>{dayText(line.begin_date)}{line.end_date === line.begin_date ? '' : `–${dayText(line.end_date)}`}<b>{line.name}</b><small>{kindName(line.kind)}</small></li>)}</ul>}
    </AppModal>
  )
}
