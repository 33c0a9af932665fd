import { setTimeout as pause } from 'node:timers/promises'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch, ImportRow } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { dataOf } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'

const deadline_ms = 60_000

/** The steps of an import of one template as one person takes them; a line is its cells in the order of `labels`. */
export function importDesk(app: TestApp, code: string, labels: readonly string[]) {
  const settled = async (batch_no: string, { token }: TestUser): Promise<ImportBatch> => {
    const until = Date.now() + deadline_ms
    for (;;) {
      const batch = dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token }))
      if (!['uploaded', 'parsing', 'applying', 'undoing'].includes(batch.state)) return batch
      if (Date.now() > until) throw new Error(`batch ${batch_no} is still ${batch.state}`)
      await pause(20)
    }
  }
  return {
    async dryRun(who: TestUser, lines: readonly (readonly string[])[]): Promise<ImportBatch> {
      const columns = labels.map(label => ({ label, prop: label, required: false, text: true }))
      const body = new Uint8Array(await writeTemplate({ sheet: '导入', notes: ['说明'], columns, samples: lines.map(line => [...line]) }))
      const answer = await app.call(importApi.upload, { code }, { token: who.token, file: { name: `${code}.xlsx`, body } })
      return settled(dataOf(importApi.upload, answer).batch_no, who)
    },
    async rows({ token }: TestUser, batch_no: string): Promise<ImportRow[]> {
      return dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_size: 300 }, { token })).list
    },
    /** The sentences of each row with errors, by its line. */
    async errors(who: TestUser, batch_no: string): Promise<Record<number, string[]>> {
      const rows = await this.rows(who, batch_no)
      return Object.fromEntries(rows.filter(row => row.errors.length > 0).map(row => [row.row_no, row.errors.map(({ label, msg }) => `${label}：${msg}`)]))
    },
    async apply(who: TestUser, batch_no: string): Promise<ImportBatch> {
      dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, { token: who.token }))
      return settled(batch_no, who)
    },
    async undo(who: TestUser, batch_no: string, partial = false): Promise<ImportBatch> {
      await app.call(importApi.undo, { batch_no, partial }, { token: who.token })
      return settled(batch_no, who)
    },
  }
}
