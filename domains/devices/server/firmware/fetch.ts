import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import type { firmwareApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { hashOf } from './run.ts'

const Row = z.object({ device_id: z.string(), task_id: z.string(), file_key: z.string().nullable(), file_name: z.string(), size: z.string() })
type Row = z.output<typeof Row>
/** How far a device is is written down in steps of so many percent. */
const step_pct = 10

/** The package under an address that works once; what of it has gone out is how far the device is. @throws Refusal 404 for an address that was used, has run out or never was */
export async function fetchPackage(pre: Pre, { school_id, ticket }: Input<typeof firmwareApi.fetch>): Promise<FileReply> {
  const found = await pre.own(school_id, async (db: Db) => {
    const { rows } = await sql`
      update firmware_task_device d set state = 'DOWNLOADING', progress = 0, ticket_hash = null, changed_at = ${pre.now} from firmware_task t join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id
      where d.school_id = ${school_id} and d.ticket_hash = ${hashOf(ticket)} and d.ticket_until > ${pre.now} and d.state = 'INITIATED' and t.school_id = d.school_id and t.task_id = d.task_id
      returning d.device_id::text as device_id, d.task_id::text as task_id, f.file_key, f.file_name, f.size::text as size`.execute(db)
    return z.array(Row).parse(rows)[0]
  })
  if (!found || found.file_key === null) throw fail(commonErrors.notFound)
  const size = Number(found.size)
  return { file_name: found.file_name, mime: 'application/octet-stream', size, body: createReadStream(pre.app.files.pathOf(found.file_key)).pipe(counting(pre, school_id, found, size)) }
}

function counting(pre: Pre, school_id: number, row: Row, size: number): Transform {
  let [sent, told] = [0, 0]
  const write = (progress: number, state: 'DOWNLOADING' | 'DOWNLOADED') => void pre.own(school_id, (db: Db) => db.updateTable('firmware_task_device').set({ progress, state, changed_at: pre.app.clock.now() }).where('school_id', '=', school_id).where('task_id', '=', row.task_id).where('device_id', '=', row.device_id).where('state', '=', 'DOWNLOADING').execute()).catch((error: unknown) => pre.log.warn({ err: error }, 'how far a device is was not written down'))
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      sent += part.length
      const pct = Math.floor((sent / size) * 100)
      if (sent === size) write(100, 'DOWNLOADED')
      else if (pct - told >= step_pct) write((told = pct), 'DOWNLOADING')
      done(null, part)
    },
  })
}
