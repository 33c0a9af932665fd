import { createCards } from '@campus/cards/server'
import type { PlannedCard } from '@campus/cards/server'
import { declareGrants, declareSubjects } from '@campus/devices/server'
import type { Declarer, Grant, Subject } from '@campus/devices/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { demo_card_uids } from '@kit/terminal-protocol'
import { addDays, startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

/** Somebody who may pass doors; `person_kind`: 1 pupil, 2 staff. */
export type Person = { user_id: string; user_name: string; user_no: string; person_kind: 1 | 2; dept_name: string | null; gates: readonly string[] }

/** Rights of the demo end before the longest a device takes. */
const days_ahead = 390
const most_at_once = 1000
const [pupil, staff] = [1, 2] as const
const card_digits = 8
const primary_stage = '1'
const [south, north, east] = ['南门', '北门', '东门']
/** Dormitories by the sex of who lives there. */
const dormitories: Readonly<Record<string, string>> = { '1': '男生宿舍', '2': '女生宿舍' }
const boarder = '2'

/** Every so many-th pupil has no card yet (chapter 40 §8: 96 % have one), never the first ones, whose cards the virtual reader's tray holds. */
const [cardless_every, cardless_at] = [25, 17] as const
const blank_cards = 300
/** The number of the first blank card: no invented one comes near it. */
const blank_first = 0x0a_00_00_01
const [student_card, staff_card] = ['1', '2'] as const

/**
 * Everybody's card and his right to pass his gates all day, the rights declared as access will do it: primary pupils by the south gate, the others by the
 * north gate, whoever rides a bus by the east gate too, boarders by the door of their dormitory, staff by all gates.
 */
export async function admitPeople(work: Work, people: readonly Person[], gates: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const { app, db, school_id, now } = work
  const by: Declarer = { app, db, school_id, now }
  const { windows, expires_at } = demoTimes(now)
  for (let at = 0; at < people.length; at += most_at_once) {
    const part = people.slice(at, at + most_at_once)
    await declareSubjects(by, part.map(subjectOf))
    await declareGrants(by, part.flatMap(({ user_id, gates: own }) => own.flatMap((name): Grant[] => {
      const place_id = gates.get(name)
      return place_id === undefined ? [] : [{ user_id, place_id, direction: 3, windows, source: 'demo', source_ref: `gate ${user_id} ${name}`, version: 1, expires_at }]
    })))
  }
  const issued_at = startOfDay(work.from)
  const held = people.flatMap((person, at) => (!hasCard(person, at) ? [] : [cardOf(person, demo_card_uids[at], issued_at)]))
  const blank = Array.from({ length: blank_cards }, (_, at): PlannedCard => ({ uid_hex: uidOf(BigInt(blank_first + at)), card_type: student_card, issued_at, batch_no: '采购入库' }))
  return createCards(work, [...held, ...blank])
}

/** Whether somebody of `readPeople` has a card, by his place in it. */
export function hasCard({ person_kind }: Person, at: number): boolean {
  return person_kind !== pupil || at % cardless_every !== cardless_at
}

/** All day, from today on. Devices go by the real day, whichever the demo's is. */
export function demoTimes(now: Date): Pick<Grant, 'windows' | 'expires_at'> {
  const day = now.toISOString().slice(0, 10)
  const [from, to] = [startOfDay(day), startOfDay(addDays(day, days_ahead))]
  return { windows: [{ from: from.toISOString(), to: to.toISOString() }], expires_at: to }
}

/** Pupils and staff, in the order of their numbers. */
export async function readPeople({ db, school_id }: Work): Promise<Person[]> {
  const own = asTables<PeopleViews>(db)
  const pupils = await own.selectFrom('live_student').select(['user_id', 'user_name', 'student_no', 'dept_name', 'stage', 'by_bus', 'sex', 'study_method']).where('school_id', '=', school_id).orderBy('student_no').execute()
  const members = await own.selectFrom('live_staff').select(['user_id', 'user_name', 'teacher_no']).where('school_id', '=', school_id).orderBy('teacher_no').execute()
  const labels = await own.selectFrom('live_person as p').innerJoin('dept_now as d', join => join.onRef('d.school_id', '=', 'p.school_id').onRef('d.id', '=', 'p.label_dept_id')).select(['p.user_id', 'd.dept_name']).where('p.school_id', '=', school_id).where('p.person_kind', '=', staff).execute()
  const depts = new Map(labels.map(({ user_id, dept_name }) => [user_id, dept_name]))
  return [
    ...pupils.map(({ student_no, stage, by_bus, sex, study_method, ...row }): Person => ({ ...row, user_no: student_no, person_kind: pupil, gates: [stage === primary_stage ? south : north, ...(by_bus ? [east] : []), ...(study_method === boarder ? [dormitories[sex] ?? ''] : [])] })),
    ...members.map(({ teacher_no, ...row }): Person => ({ ...row, user_no: teacher_no, person_kind: staff, dept_name: depts.get(row.user_id) ?? null, gates: [south, north, east] })),
  ]
}

function subjectOf({ user_id, user_name, user_no, person_kind, dept_name }: Person): Subject {
  return { user_id, user_name, user_no, person_kind, dept_name, live: true }
}

/** A card whose number is invented from the person's, the same in every demo; the first people have those of the virtual reader's tray. */
function cardOf({ user_id, user_name, user_no, dept_name, person_kind }: Person, fixed: string | undefined, issued_at: Date): PlannedCard {
  const card_type = person_kind === pupil ? student_card : staff_card
  return { uid_hex: fixed ?? uidOf(BigInt.asUintN(32, BigInt(user_id) * 2_654_435_761n)), card_type, user_id, user_name, user_no, dept_name, person_kind, issued_at }
}

function uidOf(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(card_digits, '0')
}
