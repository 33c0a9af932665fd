import { DayGrade, semesterApi, specialApi } from '@campus/calendar/contract'
import type { SchoolDay, Semester, Special } from '@campus/calendar/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'

const most_terms = 100
type Days = { days: ReadonlyMap<string, SchoolDay>; specials: readonly Special[] }

/** All terms of the school, the newest first. */
export function useTerms(): UseQueryResult<Semester[]> {
  return useQuery({ queryKey: [semesterApi.list.call, 'all'], queryFn: async ({ signal }) => (await call(semesterApi.list, { page_size: most_terms }, { quiet: true, signal })).list })
}

/** Days of a span for a grade, by date, and what is set upon them. */
export function useDays(span: { from: string; to: string } | null, grade: SchoolDay['grade']): UseQueryResult<Days> {
  return useQuery({
    queryKey: [specialApi.days.call, span, grade],
    queryFn: async ({ signal }) => {
      const asked = { from: span?.from ?? '', to: span?.to ?? '' }
      const [{ list: days }, { list: specials }] = await Promise.all([call(specialApi.days, { ...asked, grade: DayGrade.safeParse(grade).data }, { quiet: true, signal }), call(specialApi.list, asked, { quiet: true, signal })])
      return { days: new Map(days.map(day => [day.date, day])), specials }
    },
    enabled: span !== null,
  })
}
