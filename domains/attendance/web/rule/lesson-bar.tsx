import type { RuleBody } from '@campus/attendance/contract'
import { Slider } from 'antd'
import type { ReactNode } from 'react'

type Props = { body: RuleBody; minutes: number; onChange?: (part: Partial<RuleBody>) => void }
type Part = { key: string; label: string; from: number; to: number }

const [usual_before, longest_before, after] = [45, 120, 20] as const

/** One lesson drawn to scale: when a clock counts as in time, as late, as leaving. Three handles move the begin, the grace and the end of 迟到. */
export function LessonBar({ body, minutes, onChange }: Props): ReactNode {
  const first = body.before_min > usual_before ? -longest_before : -usual_before
  const last = minutes + after
  const at = (minute: number) => `${(100 * (minute - first)) / (last - first)}%`
  const parts = partsOf(body, minutes)
  const move = ([before = 0, grace = 0, until = 0]: number[]) => onChange?.({ before_min: Math.max(0, -before), late_grace_min: Math.min(30, Math.max(0, grace)), late_until_min: Math.min(45, Math.max(0, until)) })
  return (
    <figure className="attend-bar" aria-label={parts.map(part => `${part.label}：${minuteText(part.from, minutes)}至${minuteText(part.to, minutes)}`).join('，')}>
      <div className="attend-bar-track">
        {parts.map(part => part.to > part.from && (
          <i key={part.key} data-part={part.key} style={{ insetInlineStart: at(part.from), width: `calc(${at(part.to)} - ${at(part.from)})` }} title={part.label}>{part.label}</i>
        ))}
        <b style={{ insetInlineStart: at(0) }}>上课</b>
        <b style={{ insetInlineStart: at(minutes) }}>下课</b>
      </div>
      {onChange && (
        <Slider
          range min={first} max={last} value={[-body.before_min, body.late_grace_min, body.late_until_min]} onChange={move} tooltip={{ formatter: value => minuteText(value ?? 0, minutes) }}
          ariaLabelForHandle={['开始打卡', '宽限', '迟到截止']}
        />
      )}
    </figure>
  )
}

function partsOf({ before_min, late_grace_min, late_until_min, need_out, out_before_min, out_after_min, early_grace_min }: RuleBody, minutes: number): Part[] {
  const in_time = { key: 'in', label: '正常', from: -before_min, to: late_grace_min }
  const late = { key: 'late', label: '迟到', from: late_grace_min, to: late_until_min }
  const absent = { key: 'absent', label: '未打卡为缺勤', from: Math.max(late_grace_min, late_until_min), to: minutes - Math.max(early_grace_min, need_out ? out_before_min : 0) }
  return need_out ? [in_time, late, absent, { key: 'out', label: '签退', from: minutes - out_before_min, to: minutes + out_after_min }] : [in_time, late, absent]
}

function minuteText(minute: number, minutes: number): string {
  if (minute < 0) return `课前${-minute}分钟`
  if (minute === 0) return '上课时'
  return minute <= minutes ? `上课后${minute}分钟` : `下课后${minute - minutes}分钟`
}
