import type { Decider } from '@campus/devices/server'
import { asTables } from '@kit/server/db'
import type { AccessDb } from '../db.ts'
import { decide } from '../decide/decide.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'

/** What a door that asks the school is told: the same decision as everywhere else. */
export const decideSwipe: Decider = async (line, { device_id, at, user_id }) => {
  if (user_id === null) return false
  const db = asTables<AccessDb>(line.db)
  const { school_id } = line
  const site = (await readSites(db, school_id)).find(one => one.devices.some(device => device.device_id === device_id))
  const direction = site?.devices.find(device => device.device_id === device_id)?.direction
  if (!site) return false
  const when = new Date(at)
  const facts = await readFacts(db, school_id, when)
  const [subject] = await readSubjects(db, facts, { school_id, at: when, user_ids: [user_id] })
  return subject !== undefined && decide(facts, subject, site, direction === 1 ? 1 : direction === 2 ? 2 : 3, when.getTime()).allowed
}
