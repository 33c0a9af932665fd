import { accessCardViews } from '@campus/access/web'
import { attendanceCardViews } from '@campus/attendance/web'
import { devicesCardViews } from '@campus/devices/web'
import { insightCardViews, inWords } from '@campus/insight/web'
import { leaveCardViews } from '@campus/leave/web'
import { schoolCardViews } from '@campus/school/web'
import { useMay } from '@kit/web'
import type { CardView } from '@kit/web/dashboard'
import { useMemo } from 'react'
import { useSession } from './session/session.ts'

/** The cards of every domain; a new domain with cards is a line here. */
const all: readonly CardView[] = [...insightCardViews, ...accessCardViews, ...attendanceCardViews, ...leaveCardViews, ...devicesCardViews, ...schoolCardViews]

/** The cards that the identity may see in its kind of school, in the school's words. */
export function useCardViews(): CardView[] {
  const { school } = useSession()
  const may = useMay()
  const codes = all.filter(({ fact }) => fact.school_types.some(type => type === school.school_type) && fact.need.every(code => may(code))).map(({ fact }) => fact.code).join(',')
  return useMemo(() => viewsOf(codes.split(',')), [codes])
}

function viewsOf(codes: readonly string[]): CardView[] {
  return all.filter(({ fact }) => codes.includes(fact.code)).map(({ fact, Card }) => ({ fact: { ...fact, title: inWords(fact.title), sentence: inWords(fact.sentence) }, Card }))
}
