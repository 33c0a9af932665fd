import { cardChannel } from '@campus/devices/contract'
import type { CardRead } from '@campus/devices/contract'
import { push } from '@kit/server/realtime'
import type { Db } from '../db.ts'
import { Together } from '../link/together.ts'
import { readThese } from './card-read.queries.ts'
import type { RecordKey } from './pass.write.ts'

/** Readings that fit into one notice; more of one moment are told as a gap. */
const most_told = 12

/** Tells open monitors what readers have seen: after it is stored, and what came within a fifth of a second in one go. */
export class ReadTeller extends Together<{ school_id: number; key: RecordKey }> {
  /** Something was stored; its transaction is committed. */
  stored(school_id: number, keys: readonly RecordKey[]): void {
    this.add(keys.map(key => ({ school_id, key })))
  }

  protected async tell(told: readonly { school_id: number; key: RecordKey }[]): Promise<void> {
    for (const [school_id, those] of Map.groupBy(told, one => one.school_id)) await this.desk.tenant(school_id, db => tell(db, school_id, those.map(one => one.key), this.desk.now()))
  }
}

async function tell(db: Db, school_id: number, keys: readonly RecordKey[], now: Date): Promise<void> {
  const of_place = new Map<string, CardRead[]>()
  for (const { read, node_path } of await readThese(db, school_id, keys, now)) {
    for (const place_id of (node_path ?? '').split('/').filter(part => part !== '')) of_place.set(place_id, [...(of_place.get(place_id) ?? []), read])
  }
  for (const [place_id, reads] of of_place) {
    for (let at = 0; at < reads.length; at += most_told) await push({ db, school_id }, cardChannel, reads.slice(at, at + most_told), { of: place_id })
  }
}
