import { asTables } from '@kit/server/db'
import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { SchoolDb } from './db.ts'
import { findSchool } from './school.queries.ts'

/** How far a step is, computed from the data: `text` says what is there, or what is missing. */
export type SetupState = { done: boolean; text: string }

/** One step of setting a school up. It can be taken once its page exists, to whoever holds `need` (while the product knows no such code: the page's own). */
export type SetupStep = {
  code: string
  order: number
  title: string
  /** why it stands at this place of the order */
  why: string
  /** 1 school, 2 enterprise */
  school_types: readonly (1 | 2)[]
  path: string
  need: string
  state(db: QueryExecutorProvider, school_id: number): Promise<SetupState>
}

/** Filled by every domain that a new school begins with: departments, staff and pupils by people, roles by identity. */
export const setupStepPort = new Port<SetupStep>('school.setup_step')

/** 学校信息: the name comes with the school, its logo does not. */
export const schoolInfoStep: SetupStep = {
  code: 'school_info',
  order: 10,
  title: '学校信息与校徽',
  why: '校名和校徽显示在登录页、侧边栏和导出的表格上',
  school_types: [1, 2],
  path: '/SchoolRecord',
  need: 'school.info.edit',
  async state(db, school_id) {
    const school = await findSchool(asTables<SchoolDb>(db), school_id)
    const done = school !== undefined && school.school_logo !== null
    return { done, text: done ? '名称和校徽已设置' : '还没有上传校徽' }
  },
}
