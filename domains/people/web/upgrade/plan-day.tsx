import type { UpgradePlan } from '@campus/people/contract'
import { useSaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { PlanPatch } from './use-upgrade.ts'

const format = 'YYYY-MM-DD'

/** The day of a plan that was not carried out; another day asks for another simulation and signature. */
export function PlanDay({ plan, save }: { plan: UpgradePlan; save: (patch: PlanPatch) => Promise<unknown> }): ReactNode {
  const id = useId()
  const [day, setDay] = useState(plan.effective_on)
  const { busy, refused, run } = useSaving()
  const is_other = day !== plan.effective_on
  return (
    <div className="up-day">
      <label htmlFor={id}>生效日期</label>
      <DatePicker id={id} allowClear={false} value={dayjs(day)} onChange={picked => picked && setDay(picked.format(format))} />
      {is_other && <Button loading={busy} onClick={() => void run(() => save({ effective_on: day }), plan.state === 'draft' ? '生效日期已修改' : '生效日期已修改，请重新模拟和签署')}>保存日期</Button>}
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
    </div>
  )
}
