import { dictionaryName, readStored } from '@kit/web'

/** Commands over staff as the page offers them. */
export type StaffChangeWay = 'move' | 'leave' | 'return'
const at_work = '11'
export const duty_names = { head: '班主任', vice_head: '副班主任', grade_head: '年级组长', dept_leader: '部门负责人', safety: '安全负责人' } as const
const enterprise = '2'

/** 教职工, in enterprises 员工. */
export function staffWord(): string {
  return readStored('school_type') === enterprise ? '员工' : '教职工'
}

/** Where and how somebody stands before or after a command: `教务处`, `返聘 · 教务处`, 不在职. */
export function staffSide({ dept_name, state }: { dept_name: string | null; state: string | null }): string {
  if (state === null) return '不在职'
  const place = dept_name ?? '未分配部门'
  return state === at_work ? place : `${dictionaryName('STAFF_STATE', state)} · ${place}`
}
