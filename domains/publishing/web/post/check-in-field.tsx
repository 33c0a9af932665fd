import type { RepeatRule } from '@campus/publishing/contract'
import { schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Checkbox, DatePicker, Input, Switch } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ChangeEvent, ReactNode } from 'react'

type Props = { value?: RepeatRule | null; onChange?: (rule: RepeatRule | null) => void; disabled?: boolean }

const weekday_names = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const weekdays = weekday_names.map((label, at) => ({ label, value: at + 1 }))
const school_weekdays = [1, 2, 3, 4, 5]
const usual_days = 20

/** On which days a check-in is due; switched off it is asked once (chapter 60 rule 21). */
export function CheckInField({ value = null, onChange, disabled = false }: Props): ReactNode {
  const begin = () => {
    const from = schoolToday()
    const to = dayjs(from).add(usual_days, 'day').format('YYYY-MM-DD')
    onChange?.({ from, to, weekdays: school_weekdays, skip_holiday: true, daily_until: null })
  }
  const setRepeating = (on: boolean) => (on ? begin() : onChange?.(null))
  const repeating = <Switch aria-label="每日打卡" checked={value !== null} disabled={disabled} onChange={setRepeating} />
  if (value === null) return <div className="pub-check-in">{repeating} 只打卡一次</div>
  const change = (part: Partial<RepeatRule>) => onChange?.({ ...value, ...part })
  const setDays = (days: [Dayjs | null, Dayjs | null] | null) => {
    const [from, to] = days ?? []
    if (from && to) change({ from: from.format('YYYY-MM-DD'), to: to.format('YYYY-MM-DD') })
  }
  const setHour = (event: ChangeEvent<HTMLInputElement>) => change({ daily_until: event.target.value === '' ? null : event.target.value })
  return (
    <div className="pub-check-in">
      {repeating} 按日期重复
      <DatePicker.RangePicker
        aria-label="打卡日期"
        allowClear={false}
        disabled={disabled}
        value={[dayjs(value.from), dayjs(value.to)]}
        onChange={setDays}
      />
      <Checkbox.Group options={weekdays} disabled={disabled} value={value.weekdays} onChange={days => change({ weekdays: days.toSorted() })} />
      <Checkbox disabled={disabled} checked={value.skip_holiday} onChange={event => change({ skip_holiday: event.target.checked })}>
        节假日不打卡，调休上学日要打卡
      </Checkbox>
      <label>
        每天截止{' '}
        <Input type="time" className="pub-hour" disabled={disabled} value={value.daily_until ?? ''} onChange={setHour} />
      </label>
    </div>
  )
}

/** The days of a check-in in words. */
export function repeatText({ from, to, weekdays: days, skip_holiday, daily_until }: RepeatRule): string {
  const names = days.map(day => weekday_names[day - 1]).join('、')
  return `${from} 至 ${to}，${names}${skip_holiday ? '，节假日除外' : ''}${daily_until === null ? '' : `，每天${daily_until}截止`}`
}
