import type { SetupStep } from '@campus/school/server'
import { sql } from 'kysely'
import { asIdentity } from './db.ts'

/** 角色与权限: done when somebody besides the person who sets the school up can work in the console; roles of pupils and parents do not count. */
export const rolesStep: SetupStep = {
  code: 'roles',
  order: 50,
  title: '角色与权限',
  why: '人员齐全后再授予角色，每个人登录后只看到自己的页面和数据',
  school_types: [1, 2],
  path: '/RoleMemberSet',
  need: 'identity.member.edit',
  async state(db, school_id) {
    const { n } = await asIdentity(db)
      .selectFrom('identity_now_v as m')
      .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
      .select(sql<number>`count(distinct m.user_id)::int`.as('n'))
      .where('m.school_id', '=', school_id)
      .where('r.client_kind', '=', 'web')
      .where('r.enabled', '=', true)
      .executeTakeFirstOrThrow()
    const done = n > 1
    return { done, text: n === 0 ? '还没有人可以登录后台' : n === 1 ? '只有1人可以登录后台' : `${n.toLocaleString('zh-CN')}人可以登录后台` }
  },
}
