import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Segmented, Space } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import { shiftSpan, spanLabel, spanOf } from './date-span.ts'
import type { DateSpan, SpanMode } from './date-span.ts'
import { schoolToday } from './school-time.ts'

const modes: { value: SpanMode; label: string }[] = [
  { value: 'day', label: '日' },
  { value: 'week', label: '周' },
  { value: 'month', label: '月' },
]
const resets: Record<SpanMode, string> = { day: '今日', week: '本周', month: '本月' }

/** Day, week or month with ‹ › and a reset; ← → move while it has the focus. Emits both ends, included. */
export function DateTab({ value, onChange }: { value: DateSpan; onChange: (span: DateSpan) => void }): ReactNode {
  const move = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') onChange(shiftSpan(value, -1))
    if (event.key === 'ArrowRight') onChange(shiftSpan(value, 1))
  }
  return (
    <Space size={8}>
      <Segmented options={modes} value={value.mode} onChange={(mode) => onChange(spanOf(mode, value.from))} />
      <span className="kit-date-span">
        <Button type="text" icon={<LeftOutlined />} aria-label="上一段" onKeyDown={move} onClick={() => onChange(shiftSpan(value, -1))} />
        <button type="button" className="kit-date-label" title="左右键切换" onKeyDown={move}>{spanLabel(value)}</button>
        <Button type="text" icon={<RightOutlined />} aria-label="下一段" onKeyDown={move} onClick={() => onChange(shiftSpan(value, 1))} />
      </span>
      <Button onClick={() => onChange(spanOf(value.mode, schoolToday()))}>{resets[value.mode]}</Button>
    </Space>
  )
}
