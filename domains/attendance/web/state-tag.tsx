import { ATTEND_STATE } from '@campus/attendance/contract'
import { Tag } from 'antd'
import type { ReactNode } from 'react'

const marks: Readonly<Record<number, [string, string]>> = {
  1: ['green', '✓'], 2: ['orange', '迟'], 3: ['gold', '退'], 4: ['red', '✕'], 5: ['blue', '假'], 6: ['default', '…'], 7: ['cyan', '补'], 8: ['geekblue', '外'], 9: ['default', '免'], 10: ['purple', '?'],
}

/** A state as a coloured tag with a sign: colour alone says nothing; a dotted one may still change. */
export function StateTag({ state, provisional = false }: { state: number; provisional?: boolean }): ReactNode {
  const names: Readonly<Record<string, string>> = ATTEND_STATE.names
  const [color, sign] = marks[state] ?? ['default', '']
  return <Tag color={color} className={provisional ? 'attend-provisional' : undefined} title={provisional ? '设备记录未上传完，可能变化' : undefined}><span aria-hidden>{sign}</span> {names[state] ?? ''}</Tag>
}
