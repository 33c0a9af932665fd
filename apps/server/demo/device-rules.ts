import { createRules } from '@campus/devices/server'
import type { PlannedRule } from '@campus/devices/server'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

type Site = { place_id: string; place_kind: number; place_name: string }
type Week = readonly boolean[]

const [building, gate, dormitory] = [2, 9, 10] as const
const every_day: Week = [true, true, true, true, true, true, true]
const workdays: Week = [true, true, true, true, true, false, false]
const weekend: Week = [false, false, false, false, false, true, true]
/** So many of a kind (chapter 30 §8: 24 in all). */
const of_each = 8

/** Rules that a school of this size has: nights of buildings, mornings of gates, boards that go off and screens that dim. */
export async function fillRules({ db, school_id, from }: Work, sites: readonly Site[]): Promise<void> {
  const buildings = sites.filter(site => site.place_kind === building)
  const dormitories = sites.filter(site => site.place_kind === dormitory)
  const gates = [...new Map(sites.filter(site => site.place_kind === gate).map(site => [shortName(site), site])).values()]
  await createRules(db, school_id, [...doorRules(buildings, dormitories, gates, from), ...closeRules(buildings, from), ...sleepRules(buildings, from)], startOfDay(from))
}

function doorRules(buildings: readonly Site[], dormitories: readonly Site[], gates: readonly Site[], valid_from: string): PlannedRule[] {
  const closed = (weekdays: Week, begin: string, end: string) => ({ weekdays: [...weekdays], begin, end, mode: 'always_closed' as const })
  const door = (site: Site, what: string, windows: (ReturnType<typeof closed> | { weekdays: boolean[]; begin: string; end: string; mode: 'normal'; verify: number[] })[]): PlannedRule => ({ rule_name: `${shortName(site)}${what}`, valid_from, place_ids: [site.place_id], body: { kind: 1, unlock_sec: 5, held_open_sec: 30, fire_opens: true, windows } })
  const nights = buildings.filter(site => /行政|实验/u.test(site.place_name)).map(site => door(site, '夜间常闭', [closed(every_day, '22:30', '05:30')]))
  const lights_out = dormitories.map(site => door(site, '上课与熄灯后常闭', [closed(workdays, '08:00', '11:30'), closed(every_day, '23:00', '05:30')]))
  const mornings = gates.map(site => door(site, '上学时段只认人脸和卡', [{ weekdays: [...workdays], begin: '06:50', end: '08:00', mode: 'normal', verify: [1, 2] }]))
  return [...nights, ...lights_out, ...mornings].slice(0, of_each)
}

function closeRules(buildings: readonly Site[], valid_from: string): PlannedRule[] {
  return buildings.slice(0, of_each).map((site, at): PlannedRule => ({
    rule_name: `${site.place_name}班牌和屏幕夜间关机`,
    valid_from,
    enabled: at < of_each - 1,
    place_ids: [site.place_id],
    body: { kind: 2, windows: [{ weekdays: [...workdays], begin: '22:00', end: '06:30' }, { weekdays: [...weekend], begin: '22:00', end: '06:30' }] },
  }))
}

function sleepRules(buildings: readonly Site[], valid_from: string): PlannedRule[] {
  return buildings.slice(0, of_each).map((site): PlannedRule => ({ rule_name: `${site.place_name}午休调暗屏幕`, valid_from, calendar_mode: 'workdays_with_make_up', place_ids: [site.place_id], body: { kind: 3, idle_minutes: 5, brightness: 20, wake_on: 'person', windows: [{ weekdays: [...workdays], begin: '12:20', end: '13:50' }] } }))
}

function shortName({ place_name }: Site): string {
  return place_name.replace(/\(.*\)/u, '')
}
