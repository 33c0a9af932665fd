import { CaretLeftOutlined, CaretRightOutlined } from '@ant-design/icons'
import { Button, DatePicker, Slider } from 'antd'
import { dayjs } from '@kit/web/day'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { dayAfter, dayLine, daysBetween, labelled, nextChange } from './day-marks.ts'
import type { DayLine } from './day-marks.ts'

const FORMAT = 'YYYY-MM-DD'

type Props = { changes: { day: string; changes: number }[] | undefined; today: string; on: string; choose: (day: string) => void }

/** The days of the structure: a slider with a mark for every day on which it changed or will, and a field for any other day. */
export function DateStrip({ changes, today, on, choose }: Props): ReactNode {
  const line = useMemo(() => dayLine(changes ?? [], today), [changes, today])
  const before = nextChange(line, on, -1)
  const after = nextChange(line, on, 1)
  return (
    <div className="org-days" role="group" aria-label="查看日期">
      <DatePicker aria-label="查看日期" allowClear={false} value={dayjs(on)} onChange={day => day && choose(day.format(FORMAT))} />
      <Button type="text" icon={<CaretLeftOutlined aria-hidden />} aria-label="上一次变动" title={before ?? undefined} disabled={before === null} onClick={() => before !== null && choose(before)} />
      {line.days > 0 ? <DaySlider line={line} today={today} on={on} choose={choose} /> : <span className="org-days-none">组织架构变动后，可在此查看任意一天的样子</span>}
      <Button type="text" icon={<CaretRightOutlined aria-hidden />} aria-label="下一次变动" title={after ?? undefined} disabled={after === null} onClick={() => after !== null && choose(after)} />
    </div>
  )
}

function DaySlider({ line, today, on, choose }: { line: DayLine; today: string; on: string; choose: (day: string) => void }): ReactNode {
  const [dragged, setDragged] = useState<number | null>(null)
  const at = dragged ?? Math.min(line.days, Math.max(0, daysBetween(line.first, on)))
  const dayAt = (value: number) => dayAfter(line.first, value)
  const today_at = daysBetween(line.first, today)
  const said = (value: number) => {
    const mark = line.marks.find(one => one.at === value)
    return mark ? `${mark.day}　变动 ${mark.changes} 项` : dayAt(value)
  }
  return (
    <Slider
      className="org-slider"
      min={0}
      max={line.days}
      value={at}
      marks={marksOf(line, today_at)}
      included={false}
      tooltip={{ formatter: value => said(value ?? 0) }}
      ariaLabelForHandle="查看日期"
      ariaValueTextFormatterForHandle={said}
      onChange={setDragged}
      onChangeComplete={value => {
        setDragged(null)
        choose(dayAt(value))
      }}
    />
  )
}

function marksOf(line: DayLine, today_at: number): Record<number, { label: ReactNode }> {
  const shown = labelled(line, today_at)
  const marks = [...line.marks.map(mark => [mark.at, mark.day] as const), [today_at, '今天'] as const]
  return Object.fromEntries(marks.map(([at, text]) => [at, { label: shown.includes(at) ? text : <span className="kit-hidden">{text}</span> }]))
}
