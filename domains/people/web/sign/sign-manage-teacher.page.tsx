import type { ReactNode } from 'react'
import { SignList } from './sign-list.tsx'

/** 教职工签约管理. */
export default function SignManageTeacher(): ReactNode {
  return <SignList who="staff" />
}
