import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { isKey } from '../words/words.ts'

const days = [1, 2, 3, 4, 5, 6, 7] as const
const midnight = '24:00'
const shape = /^(\d) ([\d:]*)-([\d:]*)$/u

/** A window of one weekday; it may end at midnight, which a clock calls 00:00. */
export function ScheduleRow({ n, value, is_wrong, onChange }: { n: number; value: string; is_wrong: boolean; onChange: (value: string) => void }): ReactNode {
  const { t } = useWords()
  const [, day = '1', from = '', to = ''] = shape.exec(value) ?? []
  const put = (part: { day?: string; from?: string; to?: string }) => {
    const next = { day, from, to, ...part }
    onChange(`${next.day} ${next.from}-${next.to === '00:00' ? midnight : next.to}`)
  }
  return (
    <>
      <select aria-label={t('access.day', { n })} value={day} onChange={event => put({ day: event.target.value })}>
        {days.map(one => {
          const key = `day.${one}`
          return <option key={one} value={one}>{isKey(key) ? t(key) : one}</option>
        })}
      </select>
      <input type="time" aria-label={t('access.from', { n })} aria-invalid={is_wrong} value={from} onChange={event => put({ from: event.target.value })} />
      <input type="time" aria-label={t('access.to', { n })} aria-invalid={is_wrong} value={to === midnight ? '00:00' : to} onChange={event => put({ to: event.target.value })} />
    </>
  )
}
