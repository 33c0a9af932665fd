import { archiveLogApi, integrityApi, systemLogApi } from '@campus/audit/contract'
import { archive, writeOperation } from '@campus/audit/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const request = { request_id: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: 'Chrome', client: 'web' as const }

/** A line of each journal that is there. */
async function written(world: World): Promise<void> {
  const { school_id, app } = world
  const at = app.clock.now()
  const change = { field: 'user_name', label: '姓名', before: '甲', after: '乙' }
  await app.running.database.tenant<unknown, void>(school_id, async db => {
    await writeOperation(db, school_id, { request, op_type: 4, call: 'people.student.update', ok: true, code: 600, msg: '操作成功', duration_ms: 3, happened_at: at, target_kind: 'people.student', target_id: '7' })
    await archive(db, { school_id, at, request_id: request.request_id }, [{ person_kind: 1, person_id: '7', person_name: '乙', op_type: 4, source: 'typed', changes: [change] }])
  })
}

/** The newest row of a journal: its id, and the position of the page that begins with it. */
async function newest(world: World, which: typeof systemLogApi.page | typeof archiveLogApi.page): Promise<{ id: string; since: string }> {
  await written(world)
  const page = dataOf(which, await world.app.call(which, {}, { token: world.me.token }))
  return { id: page.list[0]?.log_id ?? '', since: page.newest ?? '' }
}

const reason = '年度检查'

function dayOf(now: Date): { from: string; to: string } {
  const day = now.toISOString().slice(0, 10)
  return { from: day, to: day }
}

export const auditCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(systemLogApi, {
    page: () => ({ input: {} }),
    days: () => ({ input: {} }),
    newer: async world => ({ input: { since: (await newest(world, systemLogApi.page)).since } }),
    detail: async world => ({ input: { id: (await newest(world, systemLogApi.page)).id } }),
    export: () => ({ input: { reason } }),
  }),
  ...buildersOf(archiveLogApi, {
    page: () => ({ input: {} }),
    days: () => ({ input: {} }),
    newer: async world => ({ input: { since: (await newest(world, archiveLogApi.page)).since } }),
    fields: () => ({ input: {} }),
    detail: async world => ({ input: { id: (await newest(world, archiveLogApi.page)).id } }),
    export: () => ({ input: { reason } }),
  }),
  ...buildersOf(integrityApi, {
    state: () => ({ input: {} }),
    seals: world => ({ input: dayOf(world.app.clock.now()) }),
  }),
])
