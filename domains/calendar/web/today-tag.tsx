import { currentApi } from '@campus/calendar/contract'
import type { CurrentSemester } from '@campus/calendar/contract'
import { call, schoolToday } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dayText, kindName, weekday_names } from './words.ts'

const kept_ms = 600_000

/** The term of today, asked once a day and ten minutes; every change of the calendar asks again. */
export const currentKey = [currentApi.read.call] as const

/** 第13周 · 周三 · 教学日, quiet in the top bar; nothing in a school without terms. */
export function TodayTag(): ReactNode {
  const { data } = useQuery({ queryKey: [...currentKey, schoolToday()], queryFn: ({ signal }) => call(currentApi.read, {}, { quiet: true, signal }), staleTime: kept_ms, refetchInterval: kept_ms })
  return data?.current ? <span className="app-today" title={data.current.today.label || undefined}>{todayText(data.current)}</span> : null
}

/** What today is in one line; a make-up day says whose lessons run. */
function todayText({ week_no, today }: CurrentSemester): string {
  const follows = today.plan_date ?? null
  const plan = follows !== null ? `按${dayText(follows)}（${weekday_names[today.plan_weekday ?? 0]}）课表` : today.day_kind === 3 && today.plan_weekday !== null ? `按${weekday_names[today.plan_weekday]}课表` : null
  return [week_no === null ? null : `第${week_no}周`, weekday_names[today.weekday], kindName(today.day_kind), plan].filter(Boolean).join(' · ')
}
