import { createCalendar } from '@campus/calendar/server'
import type { CalendarPlan } from '@campus/calendar/server'
import source from './data/calendar.json' with { type: 'json' }
import type { Work } from './school-work.ts'

type Special = CalendarPlan['specials'][number]
type Bell = CalendarPlan['bells'][number]

const [make_up, school_holiday, exam, activity] = [3, 7, 9, 10]
const bare = { scope_kind: 'school', scope_codes: [], follows_date: null, follows_weekday: null, follows_week_kind: null, closed_from: null, closed_to: null, bell_id: null, note: null } as const
const grades_of_stage = { '1': ['11', '12', '13', '14', '15', '16'], '2': ['21', '22', '23'], '3': ['31', '32', '33'] } as const
const workdays = [true, true, true, true, true, false, false]
/** Winter times from October, summer times from May. */
const [summer_from, winter_from] = ['05-01', '10-01']
const first_year = 2025

/**
 * Terms 2025 to 2027, official holidays with the days their make-up days follow, exams and school days, and lesson times of summer and winter (chapter 50 §8).
 * The weekday that a make-up day follows is the school's own decision: the one after the anniversary is left open.
 */
export async function fillCalendar({ app, db, school_id, now }: Work): Promise<void> {
  await createCalendar({ app, db: db.withTables(), school_id, now }, demoCalendar())
}

/** The whole calendar of the demo school. */
export function demoCalendar(): CalendarPlan {
  return {
    semesters: source.semesters.map(({ term, ...semester }) => ({ ...semester, term: term === '2' ? '2' : '1', odd_first: true })),
    years: [first_year, first_year + 1],
    make_up: source.make_up,
    specials: [...source.events.map(specialOf), ...anniversary],
    bells: source.bells.map(bellOf),
    uses: source.bells.flatMap(bell => usesOf(bell.stage, bell.season, bell.name)),
  }
}

/** A day off on a Wednesday; which lessons its make-up Saturday runs nobody has said yet. */
const anniversary: readonly Special[] = [
  { ...bare, scope_codes: [], begin_date: '2026-12-23', end_date: '2026-12-23', kind: school_holiday, name: '校庆放假' },
  { ...bare, scope_codes: [], begin_date: '2026-12-26', end_date: '2026-12-26', kind: make_up, name: '校庆调休上班' },
]

type Event = (typeof source.events)[number]

/** 六一 is free for the primary school alone; the rooms of the seniors are closed while 高考 is held in them. */
function specialOf({ date, name, kind }: Event): Special {
  const special = { ...bare, scope_codes: [], begin_date: date, end_date: date, kind, name: name.slice(0, 30) }
  if (kind === school_holiday) return { ...special, scope_kind: 'stage', scope_codes: ['1'] }
  if (name.startsWith('普通高考')) return { ...special, kind: exam, scope_kind: 'stage', scope_codes: ['3'], closed_from: '00:00', closed_to: '24:00' }
  return { ...special, kind: kind === exam ? exam : activity }
}

function bellOf({ name, stage, season, sections }: (typeof source.bells)[number]): Bell {
  return {
    name,
    stage: stage === '1' ? '1' : stage === '2' ? '2' : '3',
    season: season === 'summer' ? 'summer' : 'winter',
    sections: sections.map(([part = '', section_kind, section, begin, end]) => ({ name: String(part), section_kind: Number(section_kind), section: section === null ? null : Number(section), begin: String(begin), end: String(end) })),
  }
}

/** Each stage switches twice a year; the last one stays. */
function usesOf(stage: string, season: string, bell: string): CalendarPlan['uses'] {
  const grades = [...(stage === '1' ? grades_of_stage['1'] : stage === '2' ? grades_of_stage['2'] : grades_of_stage['3'])]
  const spans = season === 'summer'
    ? [{ from: `${first_year}-08-01`, to: `${first_year}-${winter_from}` }, { from: `${first_year + 1}-${summer_from}`, to: `${first_year + 1}-${winter_from}` }, { from: `${first_year + 2}-${summer_from}`, to: null }]
    : [{ from: `${first_year}-${winter_from}`, to: `${first_year + 1}-${summer_from}` }, { from: `${first_year + 1}-${winter_from}`, to: `${first_year + 2}-${summer_from}` }]
  return spans.map(span => ({ bell, grades, week_flags: workdays, ...span }))
}
