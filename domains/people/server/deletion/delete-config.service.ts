import type { IdentityViews } from '@campus/identity/server'
import { peopleErrors } from '@campus/people/contract'
import type { DeleteConfig, DeleteSettings, userDeleteApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { oneOf } from '../dated.ts'
import type { PeopleCtx } from '../db.ts'
import { readDeleteConfig, writeDeleteConfig } from './delete-config.queries.ts'
import { precheckPort } from './precheck-port.ts'

/** What the school wants, every item that is looked at, and the names of those who may delete. */
export async function readSettings(ctx: PeopleCtx): Promise<DeleteSettings> {
  const { row_version, ...config } = await readDeleteConfig(ctx.db, ctx.school_id)
  const names = await namesOf(ctx, config.operator_user_ids)
  return {
    config,
    row_version,
    items: precheckPort.all(ctx.app).map(({ code, title, level, is_fixed = false, settle }) => ({ code, title, level, is_fixed, may_settle: settle !== undefined })),
    operators: config.operator_user_ids.map(user_id => ({ user_id, user_name: names.get(user_id) ?? '' })),
  }
}

/** @throws Refusal 409 deleteConfigTaken for an older version, 422 deleteSettle for an item that cannot settle itself, 404 for a stranger */
export async function saveSettings(ctx: PeopleCtx, { row_version, ...config }: Input<typeof userDeleteApi.saveConfig>): Promise<DeleteSettings> {
  const { db, school_id } = ctx
  const { row_version: _, ...before } = await readDeleteConfig(db, school_id)
  const settling = new Map(precheckPort.all(ctx.app).map(check => [check.code, check.settle !== undefined]))
  if (Object.entries(config.checks).some(([code, level]) => level === 'settle' && settling.get(code) !== true)) throw fail(peopleErrors.deleteSettle)
  if ((await namesOf(ctx, config.operator_user_ids)).size < new Set(config.operator_user_ids).size) throw fail(commonErrors.notFound)
  if (!(await writeDeleteConfig(db, school_id, { ...config, row_version }))) throw fail(peopleErrors.deleteConfigTaken)
  ctx.note({ target_kind: 'people.user_delete_config', target_name: '人员删除设置', before: plain(before), after: plain(config) })
  return readSettings(ctx)
}

function plain({ ...config }: DeleteConfig): Record<string, unknown> {
  return config
}

/** Names of people as identity knows them, those of this school alone. */
export async function namesOf({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, user_ids: readonly string[]): Promise<Map<string, string>> {
  if (user_ids.length === 0) return new Map()
  const rows = await asTables<IdentityViews>(db).selectFrom('school_user_v').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}
