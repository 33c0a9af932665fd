import type { integrityApi } from '@campus/audit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { actorOf } from '../log-export.ts'
import { spanOf } from '../log-span.ts'
import { handOvers } from './hand-over.ts'
import { writeSealFile } from './seal-file.ts'
import { sealsOfDays } from './seal.queries.ts'
import { sealKeyOf } from './seal-key.ts'

/** The seals of some days as a file that anybody can check; that it was taken is a line of the log. */
export async function exportSeals(pre: Pre, query: Input<typeof integrityApi.seals>): Promise<FileReply> {
  const { school_id } = actorOf(pre)
  const span = spanOf(query, pre.now)
  const { seals, hand_overs } = await pre.own(school_id, async db => ({ seals: await sealsOfDays(db, school_id, span.begin, span.end), hand_overs: await handOvers(db) }))
  pre.note({ target_kind: 'audit.seals', target_name: `日志封存 ${span.from} ~ ${span.to}` })
  const body = Buffer.from(writeSealFile(school_id, pre.now, sealKeyOf(pre.app.secrets).public_key, seals, hand_overs))
  return { file_name: `日志封存_${school_id}_${span.from}_${span.to}.json`, mime: 'application/octet-stream', body }
}
