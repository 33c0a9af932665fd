import type { SetupList, SetupStepView } from '@campus/school/contract'
import { instantText } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Button, Progress } from 'antd'
import type { ReactNode } from 'react'
import { useSetup } from './use-setup.ts'

const marks = { done: '已完成', next: '下一步', later: '稍后', unbuilt: '待开放' } as const

/** 开始使用: what a new school still needs, in the order in which it works. Nothing once it is done, put away, or nobody's business. */
export function SetupCard(): ReactNode {
  const { list, busy, hide } = useSetup()
  if (!list || list.done === list.total || list.hidden) return null
  return (
    <section className="setup-card" id="setup" aria-labelledby="setup-title" tabIndex={-1}>
      <header>
        <h2 id="setup-title">{`开始使用：按顺序完成${list.total}步`}</h2>
        <Progress percent={Math.round((100 * list.done) / list.total)} format={() => `${list.done}/${list.total}`} size="small" aria-label="已完成的步骤" />
        <Button type="text" size="small" loading={busy} onClick={() => hide(true)}>隐藏</Button>
      </header>
      <ol>
        {list.list.map((step, at) => <Step key={step.code} no={at + 1} step={step} />)}
      </ol>
    </section>
  )
}

/** Where the list went after somebody put it away, and the way back. */
export function SetupPutAway(): ReactNode {
  const { list, busy, hide } = useSetup()
  if (!list?.hidden || list.done === list.total) return null
  return (
    <p className="setup-away">
      {awayText(list, list.hidden)}
      <Button type="link" size="small" loading={busy} onClick={() => hide(false)}>显示清单</Button>
    </p>
  )
}

function Step({ no, step }: { no: number; step: SetupStepView }): ReactNode {
  return (
    <li data-state={step.state} aria-current={step.state === 'next' ? 'step' : undefined}>
      <div className="setup-step">
        <span className="setup-no" aria-hidden>{step.state === 'done' ? '✓' : no}</span>
        <b>{step.title}</b>
        <span className="setup-mark">{marks[step.state]}</span>
      </div>
      <p className="setup-text">{step.text}</p>
      <p className="setup-why">{step.why}</p>
      {step.path === null ? (
        <p className="setup-why">该功能将在后续版本提供，可先进行下一步</p>
      ) : (
        <Link to={step.path} className={`setup-go setup-go-${step.state}`} aria-label={`${goText(step)}：${step.title}`}>{goText(step)}</Link>
      )}
    </li>
  )
}

function goText({ state }: SetupStepView): string {
  return state === 'done' ? '查看' : '去设置'
}

function awayText({ done, total }: SetupList, { by, at }: NonNullable<SetupList['hidden']>): string {
  return `开始使用清单由${by}于${instantText(at)}隐藏，还有${total - done}步未完成`
}
