import { ATTEND_STATE } from '@campus/attendance/contract'
import { dictionaryName } from '@kit/web'
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  FieldTimeOutlined,
  FileTextOutlined,
  FormOutlined,
  MinusCircleOutlined,
  QuestionCircleOutlined,
  RollbackOutlined,
} from '@ant-design/icons'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { state_colors } from './result-words.ts'

const names: Readonly<Record<string, string>> = ATTEND_STATE.names
const icons: Readonly<Record<number, ReactNode>> = {
  1: <CheckCircleOutlined aria-hidden />,
  2: <ClockCircleOutlined aria-hidden />,
  3: <RollbackOutlined aria-hidden />,
  4: <CloseCircleOutlined aria-hidden />,
  5: <FileTextOutlined aria-hidden />,
  6: <FieldTimeOutlined aria-hidden />,
  7: <FormOutlined aria-hidden />,
  8: <CheckCircleOutlined aria-hidden />,
  9: <MinusCircleOutlined aria-hidden />,
  10: <QuestionCircleOutlined aria-hidden />,
}

/** A state with colour, sign and word; one that may still change has a dotted edge. */
export function StateTag({ state, provisional = false }: { state: number; provisional?: boolean }): ReactNode {
  const name = names[String(state)] ?? dictionaryName('ATTEND_STATE', String(state))
  return (
    <Tag
      color={state_colors[state]}
      icon={icons[state]}
      className={provisional ? 'attend-provisional' : undefined}
      title={provisional ? '暂定：还有设备没有交齐记录' : undefined}
    >
      {name}
    </Tag>
  )
}
