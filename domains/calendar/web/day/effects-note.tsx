import { whole_school } from '@campus/calendar/contract'
import type { Effects } from '@campus/calendar/contract'
import { useDictionary } from '@kit/web'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { dayText } from '../words.ts'

const named = 6

/** What a change does: days, teaching days lost and gained by grade, and what other parts of the school say of it. */
export function EffectsNote({ effects: { dates, grades, impacts } }: { effects: Effects }): ReactNode {
  const names = new Map(useDictionary('GRADE').map(({ value, label }) => [value, label]))
  if (dates.length === 0) return <Alert type="info" showIcon title="不影响任何日期" />
  const days = `${dates.slice(0, named).map(dayText).join('、')}${dates.length > named ? '等' : ''}`
  const lines = linesOf(grades, names)
  return (
    <Alert
      type="info" showIcon title={`影响${dates.length}天：${days}`}
      description={lines.length + impacts.length > 0 && <ul className="calendar-effects">{[...lines, ...impacts].map(line => <li key={line}>{line}</li>)}</ul>}
    />
  )
}

/** Grades that lose and gain alike are one line. */
function linesOf(grades: Effects['grades'], names: ReadonlyMap<string, string>): string[] {
  const alike = new Map<string, string[]>()
  for (const { grade, lost, gained } of grades) {
    const what = [lost > 0 ? `减少${lost}个教学日` : '', gained > 0 ? `增加${gained}个教学日` : ''].filter(Boolean).join('，')
    alike.set(what, [...(alike.get(what) ?? []), grade])
  }
  return [...alike].map(([what, of]) => `${of.includes(whole_school) ? '全校' : of.map(grade => names.get(grade) ?? grade).join('、')}：${what}`)
}
