import { createHash, randomUUID } from 'node:crypto'
import { dataOf } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { mergeApi, mergeRunApi } from '@campus/people/contract'
import type { MergeKind, MergePreview } from '@campus/people/contract'
import { sql } from 'kysely'
import { stateHash } from './changer.ts'

type Chosen = Record<string, 'keep' | 'drop'>
type Pair = { keep: string; drop: string }

/** What a merge leaves behind for ever: its own records and the pair it decided. */
const records: ReadonlySet<string> = new Set(['merge_log', 'merge_moved', 'merge_case', 'account_merge'])

/** Merges as one person does them, the own password proved again each time. */
export function merger(app: TestApp, { token, user_id, school_id }: TestUser) {
  const proof = async (): Promise<string> => {
    const recheck = randomUUID()
    const row = sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at)
      values (${createHash('sha256').update(recheck).digest()}, 'recheck', ${user_id}, ${school_id}, ${new Date(app.clock.now().getTime() + 60_000)})`
    await app.running.database.tenant<unknown, unknown>(school_id, db => row.execute(db))
    return recheck
  }
  const preview = (pair: Pair): Promise<Answer> => app.call(mergeApi.preview, pair, { token })
  const planned = async (pair: Pair): Promise<MergePreview> => dataOf(mergeApi.preview, await preview(pair))
  const run = async (kind: MergeKind, pair: Pair, plan_hash: string, chosen: Chosen = {}): Promise<Answer> => {
    return app.call(mergeRunApi[kind], { ...pair, plan_hash, chosen, recheck_token: await proof() }, { token })
  }
  return {
    proof,
    preview,
    planned,
    run,
    /** previews and merges */
    merge: async (kind: MergeKind, pair: Pair, chosen: Chosen = {}) => dataOf(mergeRunApi[kind], await run(kind, pair, (await planned(pair)).plan_hash, chosen)),
    reverse: async (id: string): Promise<Answer> => app.call(mergeApi.reverse, { id, recheck_token: await proof() }, { token }),
  }
}

/** A hash of every table of a school but the records of merges. */
export async function stateBeside(app: TestApp, school_id: number): Promise<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(await stateHash(app, school_id)).filter(([table]) => !records.has(table)))
}
