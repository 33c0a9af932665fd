import { leave_kinds } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { ChangeEffect, EffectPlan } from '../change/effect-port.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import type { Precheck } from '../deletion/precheck-port.ts'
import { tellSign, terminateContracts } from './termination.ts'

const pupil_kind = 1

/** The contracts of whoever leaves are to end (chapter 20 rule 31); only the channel ends them, and a return signs nothing anew. */
export const signEffect: ChangeEffect = {
  domain: 'people',
  effect_code: 'contract',
  title: '支付签约',
  kinds: [...leave_kinds, 'GRAD', 'STAFF_OUT'],
  dated: false,
  undoable: false,
  preview: async plan => ({ count: (await openContracts(plan)).length }),
  async apply(step) {
    const rows = await openContracts(step)
    if (rows.length === 0) return { count: 0 }
    const begun = rows.filter(row => row.state === 'signing').map(row => row.id)
    await asTables<PeopleDb>(step.db).updateTable('sign_contract').set({ state: 'failed', fail_msg: '签约未完成，人员已离校', row_version: sql`row_version + 1` }).where('school_id', '=', step.school_id).where(oneOf('id', begun)).execute()
    await tellSign(step, begun)
    const asked = await terminateContracts(step, rows.filter(row => row.state === 'signed').map(row => row.id), '离校')
    return { count: rows.length, detail: asked.length > 0 ? `${asked.length}份等待支付渠道确认解约` : '未完成的签约已取消' }
  },
  undo: async () => undefined,
}

async function openContracts({ db, school_id, subjects }: Pick<EffectPlan, 'db' | 'school_id' | 'subjects'>) {
  return asTables<PeopleDb>(db)
    .selectFrom('sign_contract')
    .select(['id', 'state'])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', subjects.map(subject => subject.user_id)))
    .where('state', 'in', ['signing', 'signed'])
    .orderBy('id')
    .execute()
}

/** 未解约 (chapter 20 rule 22): whoever has a contract that has not ended, for himself or as the one who pays. */
export const signPrecheck: Precheck = {
  code: 'sign_open',
  title: '未解约',
  level: 'block',
  async find({ db, school_id }, user_ids) {
    const rows = await asTables<PeopleDb>(db)
      .selectFrom('sign_contract')
      .select(['user_id', 'signer_user_id', 'person_kind'])
      .where('school_id', '=', school_id)
      .where('state', 'in', ['signing', 'signed', 'terminating'])
      .where(where => where.or([oneOf('user_id', user_ids), oneOf('signer_user_id', user_ids)]))
      .execute()
    const asked = new Set(user_ids)
    const links = new Map(rows.flatMap(row => [row.user_id, row.signer_user_id].filter(id => asked.has(id)).map(id => [id, row.person_kind === pupil_kind ? '/SignManage' : '/SignManageTeacher'] as const)))
    return [...links].map(([user_id, link]) => ({ user_id, action: '请先在签约管理中解约，支付渠道确认后再删除', link }))
  },
}
