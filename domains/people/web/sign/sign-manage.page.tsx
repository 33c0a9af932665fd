import type { ReactNode } from 'react'
import { SignList } from './sign-list.tsx'

/** 学生家长签约管理. */
export default function SignManage(): ReactNode {
  return <SignList who="student" />
}
