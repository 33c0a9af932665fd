import { collectTaskApi } from '@campus/people/contract'
import type { CollectClass } from '@campus/people/contract'
import { call, toast, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Alert, Button, Progress } from 'antd'
import type { ReactNode } from 'react'
import { percentOf } from './collect-words.ts'
import { useStat } from './use-collect.ts'

const ring = 48

/** How far each class has come, the slowest first; the families of one class are reminded by themselves. */
export function ClassRings({ id, may_remind }: { id: string; may_remind: boolean }): ReactNode {
  const query = useStat(id)
  const { busy, refused, run } = useSaving()
  if (!query.data) return <PartState query={query} rows={3} />
  const remind = (dept_id: string) => run(async () => toast.success(`已提醒 ${(await call(collectTaskApi.remind, { id, dept_ids: [dept_id] }, { quiet: true })).reminded} 位家长`))
  return (
    <div className="collect-classes">
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <ul aria-label="各班进度">
        {query.data.toSorted((a, b) => percentOf(a) - percentOf(b)).map(one => (
          <li key={one.dept_id ?? ''}>
            <Progress type="circle" size={ring} percent={percentOf(one)} aria-label={`${one.dept_name}完成比例`} />
            <span>{one.dept_name}<small>{one.answered} / {one.total}</small></span>
            {may_remind && one.dept_id !== null && !isDone(one) && <Button size="small" type="link" disabled={busy} aria-label={`提醒 ${one.dept_name}`} onClick={() => void remind(one.dept_id ?? '')}>提醒</Button>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function isDone({ answered, total }: CollectClass): boolean {
  return answered === total
}
