import type { Planned } from '@campus/access/contract'
import { useSaving } from '@kit/web'
import { Button } from 'antd'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type How = { preview: boolean; plan_hash: string | null }
type Answer = { plan: Planned }

/** A change in two steps: its plan is shown, then it is published with the plan's hash. `forget` when something is edited meanwhile. */
export function usePlan(form: FormInstance | undefined, send: (how: How) => Promise<Answer | undefined>, onDone: () => void) {
  const saving = useSaving(form)
  const [plan, setPlan] = useState<Planned | null>(null)
  const ask = () => saving.run(async () => setPlan((await send({ preview: true, plan_hash: null }))?.plan ?? null))
  const publish = async () => {
    const ok = await saving.run(() => send({ preview: false, plan_hash: plan?.plan_hash ?? null }), '已发布，正在下发到设备')
    if (ok) onDone()
    else setPlan(null)
  }
  return { plan, refused: saving.refused, busy: saving.busy, forget: () => setPlan(null), ask: () => void ask(), publish: () => void publish() }
}
export type Plan = ReturnType<typeof usePlan>

/** Cancel, plan, and once the plan is there, publish. */
export function PlanButtons({ of, onCancel }: { of: Plan; onCancel: () => void }): ReactNode {
  return (
    <>
      <Button onClick={onCancel}>取消</Button>
      {of.plan === null ? <Button type="primary" loading={of.busy} onClick={of.ask}>预演</Button> : <Button type="primary" loading={of.busy} onClick={of.publish}>确认发布</Button>}
    </>
  )
}
