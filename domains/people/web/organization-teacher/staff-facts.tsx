import type { StaffDept } from '@campus/people/contract'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { LineFacts } from '../organization/tree-line.tsx'
import type { Acting, StaffBoard } from './use-staff-board.ts'

/** What a line of the staff tree says: who is missing, who acts, how many people are below. */
export function staffFacts({ depts, acting }: StaffBoard): LineFacts {
  return node => (
    <>
      <Vacancy dept={depts?.get(node.id)} />
      <ActingMark acting={acting.get(node.id)} />
      <span className="org-line-people">{node.staff_count.toLocaleString('en-US')} 人</span>
    </>
  )
}

/** 缺负责人, where a department has people and nobody who leads them. */
function Vacancy({ dept }: { dept: StaffDept | undefined }): ReactNode {
  return dept?.is_vacant && <Tag color="red">缺负责人</Tag>
}

/** 委托, with who acts until when. */
export function ActingMark({ acting = [] }: { acting: readonly Acting[] | undefined }): ReactNode {
  if (acting.length === 0) return null
  const words = actingWords(acting)
  return <Tooltip title={words}><Tag color="gold">委托<span className="kit-hidden">{words}</span></Tag></Tooltip>
}

/** 由王芳代理，至 2026-12-01. */
export function actingWords(acting: readonly Acting[]): string {
  return acting.map(({ to_user_name, valid_to }) => `由${to_user_name}代理，至 ${valid_to}`).join('；')
}
