import { createAbsent, declareGrants, planAbsent, revoke } from '@campus/devices/server'
import type { Declarer, Grant } from '@campus/devices/server'
import { demoTimes, hasCard } from './admission.ts'
import type { Person } from './admission.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

type Standing = { device_id: string; place_id: string | null }
type Sites = ReadonlyMap<string, Standing>

const hour_ms = 3_600_000
const staff_kind = 2
/** A door of its own for so many people of the staff, and how many pupils are let in at the one that has not been heard of for three days: a person and a card each. */
const [staff_each, pupils_waiting, hours_waiting] = [180, 107, 48] as const
/** Somebody has taken so many of them off by mistake, so many hours ago. */
const [taken_off, taken_off_hours] = [140, 4] as const
/** The door of a building whose terminal holds 500 people at most. */
export const nearly_full = 'QM010043'
const people_there = 480
const [waiting_door, held_door] = ['QM010041', 'QM010042'] as const

/** Were here and are not now, hours after their line was lost (chapter 30 §8); the terminal of a dormitory comes with the changes of class that wait for it. */
export const lost_hours: Readonly<Record<string, number>> = { [waiting_door]: 72, [held_door]: 5, QM030012: 26, QM030037: 2, QM030064: 150, QM120002: 9, QM060081: 31, QM060163: 3 }
export const dormitory_door = 'QM010039'
/** Hang on the wall and have never connected. */
export const never_connected: readonly string[] = ['QM010046', 'QM030100', 'QM040025', 'QM120003']
/** Somebody has taken it out of work, and off its cable a day later. */
export const disabled_door = 'QM010045'
const disabled_hours = 200
/** Screens that run a newer program, and two whose lines are so bad that it is still on its way to them. */
export const upgrade = { version: '1.0.1', done: ['QM210001', 'QM210002'], under_way: ['QM210003', 'QM210004'] } as const
/** Cameras that their recorder calls broken. */
export const broken_cameras: readonly string[] = ['QM060039', 'QM060121', 'QM060203']

/** Devices that are not as they should be, by what others have done with them: lost lines, rows that wait, a change that is held back, a terminal that is nearly full, one that is disabled. What is odd about those that are here they play themselves. */
export async function fillOddDevices(work: Work, people: readonly Person[], sites: Sites): Promise<void> {
  const staff = people.filter(person => person.person_kind === staff_kind)
  // Not those of dormitories: some of them have changed class, which one terminal alone does not know yet.
  const pupils = people.filter(person => person.person_kind !== staff_kind && person.gates.length === 1)
  for (const door of [waiting_door, held_door]) await letIn(work, sites, door, staff.slice(0, staff_each))
  await letIn(work, sites, nearly_full, pupils.slice(-people_there))
  for (const [sn, hours] of Object.entries(lost_hours)) await goAway(work, sites, sn, { hours })
  await goAway(work, sites, disabled_door, { hours: disabled_hours, disabled: true })
  const carded = new Set(people.filter(hasCard).map(({ user_id }) => user_id))
  await letIn(work, sites, waiting_door, pupils.filter(({ user_id }) => carded.has(user_id)).slice(-pupils_waiting))
  await planAbsent(work.db, work.school_id, standing(sites, waiting_door).device_id, ago(work, hours_waiting))
  await revoke(declarer(work), 'demo', staff.slice(0, taken_off).map(person => doorRef(held_door, person)))
  await planAbsent(work.db, work.school_id, standing(sites, held_door).device_id, ago(work, taken_off_hours))
}

/** Lets people in at one door. */
async function letIn(work: Work, sites: Sites, sn: string, people: readonly Person[]): Promise<void> {
  const { device_id, place_id } = standing(sites, sn)
  if (place_id === null) return
  const times = demoTimes(work.now)
  await declareGrants(declarer(work), people.map((person): Grant => ({ user_id: person.user_id, place_id, device_id, direction: 3, source: 'demo', source_ref: doorRef(sn, person), version: 1, ...times })))
}

function goAway(work: Work, sites: Sites, sn: string, { hours, disabled = false }: { hours: number; disabled?: boolean }): Promise<void> {
  return createAbsent(work.db, work.school_id, standing(sites, sn).device_id, { from: begun(work), until: ago(work, hours), disabled })
}

function doorRef(sn: string, { user_id }: Person): string {
  return `door ${sn} ${user_id}`
}

function declarer({ app, db, school_id, now }: Work): Declarer {
  return { app, db, school_id, now }
}

/** When devices of this school year said their first word. */
function begun({ from }: Work): Date {
  return new Date(startOfDay(from).getTime() + hour_ms)
}

/** So many hours ago; devices go by the real day, whichever the demo's is, and were not here before its school year. */
function ago(work: Work, hours: number): Date {
  return new Date(Math.max(begun(work).getTime() + (disabled_hours - hours), work.now.getTime() - hours * hour_ms))
}

/** @throws Error for a number that no device of the plan has */
function standing(sites: Sites, sn: string): Standing {
  const found = sites.get(sn)
  if (!found) throw new Error(`the plan has no device ${sn}`)
  return found
}
