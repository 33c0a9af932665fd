import type { AppKind } from '@campus/identity/contract'
import { readStored, usePage } from '@kit/web'

const enterprise = '2'
const words: Readonly<Record<AppKind, string>> = { teacher: '教职工', parent: '家长', student: '学生' }

/** Of whom the six screens speak: one component each for groups and for roles, the kind stands in the path. */
export type KindOfPage = { kind: AppKind; /** 教职工, 家长, 学生; 员工 in an enterprise */ who: string; role_path: '/TeacherRole' | '/ParentRole' | '/StudentRole'; group_path: '/TeacherRoleGroup' | '/ParentRoleGroup' | '/StudentRoleGroup' }

/** The kind of the page that is open. */
export function useKind(): KindOfPage {
  const { path } = usePage()
  if (path.startsWith('/Parent')) return { kind: 'parent', who: words.parent, role_path: '/ParentRole', group_path: '/ParentRoleGroup' }
  if (path.startsWith('/Student')) return { kind: 'student', who: words.student, role_path: '/StudentRole', group_path: '/StudentRoleGroup' }
  return { kind: 'teacher', who: readStored('school_type') === enterprise ? '员工' : words.teacher, role_path: '/TeacherRole', group_path: '/TeacherRoleGroup' }
}
