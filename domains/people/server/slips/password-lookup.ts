import { consumeCaptcha, passwordState } from '@campus/identity/server'
import type { PasswordState } from '@campus/identity/server'
import { most_lines, peopleErrors } from '@campus/people/contract'
import type { passwordLookupApi } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { maskMobile, maskName } from '@kit/contract/checks'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PeopleCtx } from '../db.ts'
import { deptScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'

type Asked = Input<typeof passwordLookupApi.byPhone>
type Found = { user_id: string; user_name: string }

const rule_texts: Readonly<Record<PasswordState, string>> = {
  initial: '初始密码规则：由学校发放',
  own: '密码已由本人修改，忘记时请重置密码',
  none: '尚未开通登录账号',
}

/**
 * Who has this number and whether he still has the password he was given: neither a password nor a whole name is answered. The captcha is spent right or
 * wrong, whether or not anybody is found. @throws Refusal 422 registerCaptcha
 */
export async function lookUp(pre: Pre, { kind, phone, cap_key, cap_value }: Asked): Promise<(ctx: PeopleCtx) => Promise<Reply<typeof passwordLookupApi.byPhone>>> {
  const is_right = await pre.own<unknown, boolean>(0, db => consumeCaptcha(db, pre.app, { cap_key, kind: 'login', answer: cap_value }, pre.now))
  if (!is_right) throw fail(peopleErrors.registerCaptcha, { errors: [{ field: 'cap_value', msg: peopleErrors.registerCaptcha.msg }] })
  return async ctx => {
    const found = await holders(ctx, kind, phone)
    const states = await passwordState(ctx.db, ctx.school_id, found.map(person => person.user_id))
    ctx.note({ target_kind: 'people.password', target_name: maskMobile(phone), after: { kind, count: found.length } })
    return {
      list: found.map(({ user_id, user_name }) => {
        const state = states.get(user_id) ?? 'none'
        return { user_name: maskName(user_name), kind, is_default: state === 'initial', rule_text: rule_texts[state] }
      }),
    }
  }
}

/** Those who are here and in the caller's scope. */
async function holders(ctx: PeopleCtx, kind: Asked['kind'], phone: string): Promise<Found[]> {
  const scope = await deptScope(ctx, kind === 'teacher' ? 'staff' : 'student')
  const { rows } = await sql<Found>`${queries[kind](ctx.school_id, phone, scope)} order by user_id limit ${most_lines}`.execute(ctx.db)
  return rows
}

type Question = (school_id: number, phone: string, scope: DeptScope) => RawBuilder<unknown>
const among = (column: RawBuilder<unknown>, scope: DeptScope) => (scope === 'all' ? sql`true` : sql`${column} = any(${[...scope]}::bigint[])`)
const queries: Readonly<Record<Asked['kind'], Question>> = {
  teacher: (school_id, phone, scope) => sql`select t.user_id, t.user_name from live_staff t where t.school_id = ${school_id} and t.mobile = ${phone}
    and ${scope === 'all' ? sql`true` : sql`t.dept_ids && ${[...scope]}::bigint[]`}`,
  parent: (school_id, phone, scope) => sql`select r.user_id, r.user_name from live_parent r where r.school_id = ${school_id} and r.mobile = ${phone}
    and exists (select from live_student s where s.school_id = ${school_id} and s.user_id = any(r.child_user_ids) and ${among(sql`s.dept_id`, scope)})`,
  student: (school_id, phone, scope) => sql`select s.user_id, s.user_name from live_student s join person p on p.school_id = s.school_id and p.user_id = s.user_id
    where s.school_id = ${school_id} and p.school_id = ${school_id} and ${among(sql`s.dept_id`, scope)} and (p.tel = ${phone}
      or exists (select from live_parent r where r.school_id = ${school_id} and r.mobile = ${phone} and s.user_id = any(r.child_user_ids)))`,
}
