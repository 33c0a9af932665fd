import { resolver_names, step_modes } from '@campus/leave/contract'
import type { EffectPreview, StepShown } from '@campus/leave/contract'
import { Tag } from 'antd'
import type { ReactNode } from 'react'

const resolvers: Readonly<Record<string, string>> = resolver_names
const modes: Readonly<Record<string, string>> = step_modes

/** The steps of a flow with the people who decide them; one without anybody is red. */
export function StepsList({ steps, no_approval, current }: { steps: readonly StepShown[]; no_approval?: boolean; current?: number | null }): ReactNode {
  if (steps.length === 0) return <p className={no_approval ? 'leave-hint' : 'leave-fault'}>{no_approval ? '无需审批，提交后直接生效' : '没有匹配的审批步骤'}</p>
  return (
    <ol className="leave-steps">
      {steps.map(step => (
        <li key={step.seq} data-current={step.seq === current || undefined}>
          <b>{step.seq}. {resolvers[String(step.resolver)]}</b>
          {step.assignees.length > 1 && <small>{modes[String(step.mode)]}</small>}
          <span>{step.assignees.length === 0 ? <span className="leave-fault">没有审批人</span> : step.assignees.map(one => one.user_name).join('、')}</span>
          {step.is_fallback && step.assignees.length > 0 && <Tag color="orange">兜底审批人</Tag>}
          <small>{step.why}</small>
        </li>
      ))}
    </ol>
  )
}

/** What a leave would do: the receipts that will follow. */
export function EffectsPreview({ effects }: { effects: readonly EffectPreview[] }): ReactNode {
  return (
    <ul className="leave-effects">
      {effects.map(one => <li key={one.effect}><b>{one.title}</b> <span>{one.text}</span>{!one.undoable && <small>不可撤销</small>}</li>)}
    </ul>
  )
}
