import { schoolToday } from '@kit/web'
import { DatePicker, Form } from 'antd'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { dayAfter } from './day-marks.ts'

const FORMAT = 'YYYY-MM-DD'
/** How far a change may lie back and ahead (chapter 20 rule 3). */
const back_days = 30
const ahead_days = 180

/** From which day a change holds, in a form whose field is `effective_on`. */
export function DayItem({ hint, name = 'effective_on', label = '生效日期' }: { hint: string; name?: string; label?: string }): ReactNode {
  const today = schoolToday()
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      className="org-day"
      rules={[{ required: true, message: '请选择生效日期' }]}
      getValueProps={(day?: string) => ({ value: day ? dayjs(day) : null })}
      normalize={(day: dayjs.Dayjs | null) => day?.format(FORMAT)}
    >
      <DatePicker className="kit-fill" minDate={dayjs(dayAfter(today, -back_days))} maxDate={dayjs(dayAfter(today, ahead_days))} />
    </Form.Item>
  )
}
