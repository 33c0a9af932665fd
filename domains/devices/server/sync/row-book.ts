import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import type { Line } from '../link/line.ts'
import { noteForeign } from '../proof/drift.queries.ts'
import { limitsOf } from './limits.ts'
import { readyRows } from './ready.ts'
import { tellSettled } from './row.tell.ts'
import { at, compareRows, markSent, markUnknown, sendOnceMore, settleRows, unknownRows, wantsKey } from './rows.queries.ts'
import type { RowBook } from './vf105.talk.ts'

/** The rows of one device in the database, within a transaction. */
export function bookOf(line: Line): RowBook {
  const { app, db, school_id, device_id, now } = line
  const of = { school_id, device_id }
  return {
    unknown: () => unknownRows(db, of, now),
    ready: () => readyRows(app, line),
    limits: () => limitsOf(line, driver),
    sent: rows => markSent(db, school_id, at(device_id, rows), now),
    again: rows => sendOnceMore(db, school_id, at(device_id, rows), now),
    lost: rows => markUnknown(db, school_id, at(device_id, rows)),
    async said(rows, results) {
      await settleRows(db, of, rows, results, now)
      await tellSettled(line, at(device_id, rows))
    },
    async read(rows, held) {
      await compareRows(db, of, rows, held, now)
      await tellSettled(line, at(device_id, rows))
    },
    wants: key_id => wantsKey(db, of, key_id),
    foreign: (kind, row_key) => noteForeign(db, of, { kind, row_key }, now),
  }
}
