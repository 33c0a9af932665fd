import type { AskedSpan } from '@campus/leave/contract'
import { DatePicker, Form, Radio } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'

/** When, as a form holds it: whole days, a half of one day, or hours. */
export type TimeValues = { mode: 'day' | 'am' | 'pm' | 'time'; days?: [Dayjs, Dayjs]; one?: Dayjs; times?: [Dayjs, Dayjs] }
const modes = [{ value: 'time', label: '按时间' }, { value: 'day', label: '整天' }, { value: 'am', label: '上午' }, { value: 'pm', label: '下午' }]
const required = [{ required: true, message: '请选择时间' }]
const minute_step = 5
const dayAt = (day: Dayjs, clock: string) => `${day.format('YYYY-MM-DD')}T${clock}:00+08:00`

/** Fields of the time of a leave; the names are those of `TimeValues`. */
export function TimeFields(): ReactNode {
  const mode = Form.useWatch('mode') ?? 'time'
  return (
    <>
      <Form.Item name="mode" label="请假方式"><Radio.Group optionType="button" options={modes} /></Form.Item>
      {mode === 'time' && <Form.Item name="times" label="起止时间" rules={required}><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm', minuteStep: minute_step }} format="YYYY-MM-DD HH:mm" /></Form.Item>}
      {mode === 'day' && <Form.Item name="days" label="起止日期" rules={required}><DatePicker.RangePicker className="kit-fill" /></Form.Item>}
      {(mode === 'am' || mode === 'pm') && <Form.Item name="one" label="日期" rules={required}><DatePicker className="kit-fill" /></Form.Item>}
    </>
  )
}

/** What the fields ask for; null while something is missing. */
export function spanAsked({ mode, days, one, times }: Partial<TimeValues>): AskedSpan | null {
  if (mode === 'day' && days) return { begin: dayAt(days[0], '00:00'), end: dayAt(days[1], '12:00'), half: 'day' }
  if ((mode === 'am' || mode === 'pm') && one) return { begin: dayAt(one, '00:00'), end: dayAt(one, '12:00'), half: mode }
  if (mode !== 'time' || !times) return null
  return { begin: dayAt(times[0], times[0].format('HH:mm')), end: dayAt(times[1], times[1].format('HH:mm')) }
}
