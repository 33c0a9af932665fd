import { batch_errors } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done, pageOf, refused } from './answer.ts'
import type { Answer } from './answer.ts'
import type { AccessRecord, Vf105Store } from './store.ts'

const most_records = 1000
const everybody = '-1'
const conditions = ['recordId', 'userId', 'name', 'keyword', 'type', 'code', 'stranger', 'uploadState', 'startTime', 'endTime'] as const
const Ids = z.array(z.union([z.string(), z.number()]).transform(String))

/** getRecords: the newest first; here `code` is a path on the device and the reason is called `message`. */
export function getRecords(store: Vf105Store, data: unknown): Answer {
  const asked = asObject(data)
  const found = store.records.filter(matching(asked)).toReversed()
  return pageOf(found.map(({ id, error, is_uploaded, code: _code, ...record }) => ({ ...record, recordId: String(id), code: '', message: error, door: 1, imagePath: '', uploadState: Number(is_uploaded) })), asked, most_records)
}

/** delRecords: only by a condition, or all of them by name. */
export function deleteRecords(store: Vf105Store, data: unknown): Answer {
  const asked = asObject(data)
  if (asked.all !== true && conditions.every(name => asked[name] === undefined)) return refused(batch_errors.del_records)
  const matches = matching(asked)
  store.records = asked.all === true ? [] : store.records.filter(record => !matches(record))
  return done()
}

function matching(asked: Record<string, unknown>): (record: AccessRecord) => boolean {
  const ids = Ids.safeParse(asked.recordId).data
  const users = Ids.safeParse(asked.userId).data
  const is = (value: unknown, wanted: unknown) => wanted === undefined || wanted === '' || String(value) === String(wanted)
  return record => {
    const { id, userId, type, is_uploaded, timeStamp, name } = record
    if (ids && !ids.includes(String(id))) return false
    if (users && !users.includes(everybody) && !users.includes(userId)) return false
    if (typeof asked.startTime === 'number' && timeStamp < asked.startTime) return false
    if (typeof asked.endTime === 'number' && timeStamp > asked.endTime) return false
    return is(type, asked.type) && is(Number(is_uploaded), asked.uploadState) && is(Number(userId === ''), asked.stranger) && (typeof asked.name !== 'string' || name.includes(asked.name))
  }
}
