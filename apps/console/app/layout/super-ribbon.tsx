import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { isSuperEntry } from '../../login/identity-list.ts'

/** Says all the time that a super account looks at a school that is not its own (chapter 10 R9). */
export function SuperRibbon(): ReactNode {
  const { role, school } = useSession()
  return isSuperEntry(role) ? <div className="app-super" role="status">{`正在以超级管理员身份查看「${school.school_name}」`}</div> : null
}
