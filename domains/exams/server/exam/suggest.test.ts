import type { PaperRow } from '@campus/exams/contract'
import { expect, test } from 'vitest'
import { suggestSessions } from './suggest.ts'

const paper = (subject: string, minutes: number): PaperRow => ({
  paper_id: subject, grade: '33', subject, dept_ids: [], exam_way: '1', full_score: 100, minutes, excellent_pct: 85, good_pct: 75,
  pass_pct: 60, low_pct: 40, assign: 'none', in_total: true,
})
const papers = ['13', '14', '41'].map(subject => paper(subject, 120))
const isWorkday = (day: string) => !['2026-11-14', '2026-11-15'].includes(day)
const layOut = (begin_date: string, end_date: string) =>
  suggestSessions({ papers, begin_date, end_date, first_min: 510, afternoon_min: 840, subjectOf: code => code, free: isWorkday })
    .map(one => `${one.session_name} ${one.begin_at}`)

test('papers are laid on school days, two a half-day with a break; an exam that is on a weekend stays there', () => {
  expect(layOut('2026-11-13', '2026-11-15')).toEqual([
    '13 2026-11-13T00:30:00.000Z', '14 2026-11-13T02:50:00.000Z', '41 2026-11-13T06:00:00.000Z',
  ])
  expect(layOut('2026-11-15', '2026-11-15')).toEqual([
    '13 2026-11-15T00:30:00.000Z', '14 2026-11-15T02:50:00.000Z', '41 2026-11-15T06:00:00.000Z',
  ])
})
