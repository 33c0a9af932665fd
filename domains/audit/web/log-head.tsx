import type { DayCount } from '@campus/audit/contract'
import { DateTab, schoolToday, spanOf, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { DayStrip } from './day-strip.tsx'
import { barsOf } from './day-strip.ts'
import { stripOf, tabOf } from './log-search.ts'
import type { Days } from './log-search.ts'

type Props = { name: string; days: Days; asked?: Readonly<Record<string, string | undefined>>; setDays: (days: Days) => void; read: (days: Days, signal: AbortSignal) => Promise<{ list: DayCount[] }>; side?: ReactNode }

const fresh_ms = 60_000

/** Above a journal: day, week or month, the strip of all days with the chosen ones, and what stands right of it; `asked` is what `read` asks besides the days. */
export function LogHead({ name, days, asked, setDays, read, side }: Props): ReactNode {
  const { active } = usePage()
  const strip = stripOf(days, schoolToday())
  const { data, error } = useQuery({ queryKey: [name, strip, asked], queryFn: ({ signal }) => read(strip, signal), staleTime: fresh_ms, enabled: active })
  const tab = tabOf(days)
  return (
    <section className="audit-head" aria-label="时间">
      <div className="audit-head-line">
        <DateTab value={tab ?? { mode: 'day', from: days.from, to: days.from }} onChange={({ from, to }) => setDays({ from, to })} />
        {tab === null && (
          <Tag color="blue" closable={{ 'aria-label': '去掉所选时间' }} onClose={() => setDays(spanOf('week', schoolToday()))}>
            {days.from} ~ {days.to}
          </Tag>
        )}
        <span className="audit-head-side">{side}</span>
      </div>
      {error ? <p className="audit-strip-failed">每日操作数加载失败</p> : <DayStrip bars={barsOf(strip.from, data?.list ?? [])} days={days} onBrush={setDays} />}
    </section>
  )
}
