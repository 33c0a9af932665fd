import { log_op } from '@campus/audit/contract'
import { Tag } from 'antd'
import type { ReactNode } from 'react'

const names: Readonly<Record<string, string>> = log_op.names
const colors: Readonly<Record<string, string>> = { '3': 'green', '4': 'blue', '5': 'red', '6': 'geekblue', '7': 'orange', '9': 'purple', '10': 'purple', '13': 'orange', '14': 'gold' }

/** Kind of an operation, in words and in its colour. */
export function OpTag({ op_type }: { op_type: number }): ReactNode {
  return <Tag color={colors[op_type]}>{opName(op_type)}</Tag>
}

/** Kind of an operation in words. */
function opName(op_type: number): string {
  return names[op_type] ?? String(op_type)
}

/** The kinds to choose from. */
export const op_options = Object.entries(names).map(([value, label]) => ({ value, label }))
