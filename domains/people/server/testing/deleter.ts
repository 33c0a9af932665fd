import { createHash, randomUUID } from 'node:crypto'
import { dataOf } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { deleteApi, userDeleteApi } from '@campus/people/contract'
import type { DeleteConfig, DeleteDetailRow, DeleteProof } from '@campus/people/contract'
import { sql } from 'kysely'

export const delete_codes = ['people.delete.run', 'people.delete.view', 'people.delete.config', 'people.quit.view'] as const
const hour_ms = 3_600_000
const zone_ms = 8 * hour_ms

/** Deletions as one person does them, the own password proved again each time. */
export function deleter(app: TestApp, { token, user_id, school_id }: TestUser) {
  const proof = async (): Promise<string> => {
    const recheck = randomUUID()
    const row = sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at)
      values (${createHash('sha256').update(recheck).digest()}, 'recheck', ${user_id}, ${school_id}, ${new Date(app.clock.now().getTime() + 60_000)})`
    await app.running.database.tenant<unknown, unknown>(school_id, db => row.execute(db))
    return recheck
  }
  const run = async (user_ids: readonly string[], reason = '已毕业'): Promise<Answer> => app.call(deleteApi.run, { user_ids: [...user_ids], reason, recheck_token: await proof() }, { token })
  const details = async (batch_no: string): Promise<DeleteDetailRow[]> => dataOf(userDeleteApi.details, await app.call(userDeleteApi.details, { batch_no, page_size: 300 }, { token })).list
  return {
    proof,
    run,
    /** puts them on the list. @returns the number of their batch */
    listed: async (user_ids: readonly string[]): Promise<string> => dataOf(deleteApi.run, await run(user_ids)).batch_no ?? '',
    configure: async (more: Partial<DeleteConfig>): Promise<void> => {
      const { config, row_version } = dataOf(userDeleteApi.config, await app.call(userDeleteApi.config, {}, { token }))
      dataOf(userDeleteApi.saveConfig, await app.call(userDeleteApi.saveConfig, { ...config, ...more, row_version }, { token }))
    },
    confirm: async (no: string): Promise<Answer> => app.call(userDeleteApi.confirm, { no, recheck_token: await proof() }, { token }),
    cancel: (no: string, user_ids?: string[]): Promise<Answer> => app.call(userDeleteApi.cancel, { no, user_ids }, { token }),
    retry: (no: string, user_ids?: string[]): Promise<Answer> => app.call(userDeleteApi.retry, { no, user_ids }, { token }),
    details,
    /** state of each person of a batch, in the order of the list */
    states: async (batch_no: string) => (await details(batch_no)).map(row => row.state),
    batch: async (batch_no: string) => dataOf(userDeleteApi.batches, await app.call(userDeleteApi.batches, { batch_no }, { token })).list[0],
    proofOf: async (no: string, who: string): Promise<DeleteProof> => dataOf(userDeleteApi.proof, await app.call(userDeleteApi.proof, { no, user_id: who }, { token })),
  }
}

/** Hours of the night that hold this very moment. */
export function windowNow(app: TestApp): DeleteConfig['window'] {
  const at = (ms: number) => new Date(app.clock.now().getTime() + zone_ms + ms).toISOString().slice(11, 16)
  return { from: at(-hour_ms), to: at(2 * hour_ms) }
}
