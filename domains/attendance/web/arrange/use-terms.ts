import { semesterApi } from '@campus/calendar/contract'
import { schoolToday } from '@kit/web'
import { useCall } from '@kit/web/part'

export type Term = { semester_id: number; name: string; begin_date: string; end_date: string; is_now: boolean }
const most = 100

/** The terms of the school, the newest first; none for who may not see them. */
export function useTerms(): readonly Term[] {
  const { data } = useCall(semesterApi.list, { page_size: most })
  const today = schoolToday()
  return (data?.list ?? []).map(({ id, name, begin_date, end_date }) => ({
    semester_id: id, name, begin_date, end_date, is_now: begin_date <= today && today <= end_date,
  }))
}
