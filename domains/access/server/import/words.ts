import type { ReadStep } from '@kit/server/excel'
import type { AccessDb } from '../db.ts'
import { listDoorPlaces } from '../grant/place.ts'

/** Places with doors of a direction, by their name. */
export type DoorNames = { in: ReadonlyMap<string, string>; out: ReadonlyMap<string, string> }
type Step = Pick<ReadStep<AccessDb>, 'db' | 'school_id'>

export async function doorNames(step: Step): Promise<DoorNames> {
  const named = async (direction: 1 | 2) => {
    const { list } = await listDoorPlaces(step, direction)
    return new Map(list.map(place => [place.place_name, place.place_id]))
  }
  return { in: await named(1), out: await named(2) }
}

/** Rules in use, by scene and name. */
export async function ruleNames({ db, school_id }: Step): Promise<ReadonlyMap<string, string>> {
  const rules = await db.selectFrom('access_rule').select(['rule_id', 'rule_name', 'scene']).where('school_id', '=', school_id)
    .where('enabled', '=', true).execute()
  return new Map(rules.map(rule => [`${rule.scene} ${rule.rule_name}`, rule.rule_id]))
}
