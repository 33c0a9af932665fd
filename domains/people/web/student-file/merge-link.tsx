import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MergeWay } from './refusal.ts'

/** 合并或更正: in a tab of its own, for what was typed here must not be lost. */
export function MergeLink({ way }: { way: MergeWay }): ReactNode {
  return <Link to="/PersonMerge" search={way} target="_blank" className="kit-link">合并或更正</Link>
}
