import type { UpgradePlan } from '@campus/people/contract'
import { Loading, sentenceOf, usePage } from '@kit/web'
import { Alert, Button, Steps } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DiffStep } from './diff-step.tsx'
import { ExceptionStep } from './exception-step.tsx'
import { FlowView } from './flow-view.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { PlanDay } from './plan-day.tsx'
import { RunStep, SignStep } from './run-step.tsx'
import { StartPanel } from './start-panel.tsx'
import { useUpgrade } from './use-upgrade.ts'
import type { PlanPatch, Upgrade } from './use-upgrade.ts'
import './upgrade.css'

const titles = ['定去向', '例外', '模拟对比', '签署', '执行']
const reached: Readonly<Record<UpgradePlan['state'], number>> = { draft: 0, simulated: 2, signed: 4, running: 4, done: 4, rolled_back: 4, failed: 4 }

/** 学年升级: the five steps from where every class goes to the promotion itself, and the way back. */
export default function UpgradeClass(): ReactNode {
  const upgrade = useUpgrade()
  const { data, error, refetch } = upgrade.query
  const [anew, setAnew] = useState(false)
  const plan = data?.plan ?? null
  const starts = plan === null || anew
  const create = async (school_year: string, effective_on: string) => {
    await upgrade.create(school_year, effective_on)
    setAnew(false)
  }
  return (
    <div className="up-page" data-ready={error ? 'failed' : data && 'upgrade'}>
      {error && !data && (
        <div className="kit-failed" role="alert">
          <p>{sentenceOf(error)}</p>
          <Button onClick={() => void refetch()}>重试</Button>
        </div>
      )}
      {!data && !error && <Loading rows={6} />}
      {data && starts && <StartPanel next={data.next} last={plan} create={create} />}
      {plan !== null && !anew && <PlanSteps key={plan.plan_id} plan={plan} upgrade={upgrade} startAnew={() => setAnew(true)} />}
    </div>
  )
}

function PlanSteps({ plan, upgrade, startAnew }: { plan: UpgradePlan; upgrade: Upgrade; startAnew: () => void }): ReactNode {
  const { search, setSearch } = usePage()
  const is_over = plan.command_id !== null
  const asked = Number(search.step)
  const step = is_over ? 4 : Number.isInteger(asked) && asked >= 1 && asked <= 5 ? asked - 1 : reached[plan.state]
  const go = (at: number) => setSearch({ step: String(at + 1) })
  const save = (patch: PlanPatch) => upgrade.update(plan, patch)
  const is_closed = plan.state === 'done' || plan.state === 'rolled_back'
  return (
    <>
      <div className="up-bar">
        <p><b>{plan.school_year}学年</b>{is_over && `　${plan.effective_on} 生效`}</p>
        {!is_over && <PlanDay key={plan.effective_on} plan={plan} save={save} />}
        {is_closed && <Button onClick={startAnew}>新建方案</Button>}
      </div>
      <Steps size="small" current={step} {...(is_over ? {} : { onChange: go })} items={titles.map(title => ({ title }))} />
      {step === 0 && <RouteStep plan={plan} save={save} />}
      {step === 1 && <ExceptionStep plan={plan} save={save} />}
      {step === 2 && <DiffStep plan={plan} simulate={() => upgrade.simulate(plan)} />}
      {step === 3 && <SignStep plan={plan} upgrade={upgrade} />}
      {step === 4 && <RunStep plan={plan} upgrade={upgrade} />}
      {!is_over && step < 4 && (
        <div className="up-foot">
          {step > 0 && <Button onClick={() => go(step - 1)}>上一步</Button>}
          <Button type="primary" onClick={() => go(step + 1)}>下一步：{titles[step + 1]}</Button>
        </div>
      )}
    </>
  )
}

/** 定去向: bands from this year to the next; a click changes where a class goes. */
function RouteStep({ plan, save }: { plan: UpgradePlan; save: (patch: PlanPatch) => Promise<unknown> }): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null)
  const item = plan.items.find(one => one.dept_id === chosen)
  const open = plan.items.filter(one => one.action === null).length
  return (
    <section className="up-panel" aria-label="定去向">
      <p>左边是本学年，右边是下学年，带子的宽度是人数。点年级的“去向”一次调整全年级，点班级或带子单独调整。</p>
      {open > 0 && <Alert type="error" showIcon title={`还有 ${open} 个年级或班级未选择去向`} />}
      {plan.items.length === 0 ? <p className="up-none">学校还没有年级和班级，请先在“学生组织架构”中建立。</p> : <FlowView items={plan.items} people={plan.people} choose={setChosen} />}
      {item && <ItemDialog key={item.dept_id} plan={plan} item={item} save={save} onClose={() => setChosen(null)} />}
    </section>
  )
}
