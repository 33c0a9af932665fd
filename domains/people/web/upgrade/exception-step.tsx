import { UPGRADE_EXCEPTION } from '@campus/people/contract'
import type { UpgradePlan } from '@campus/people/contract'
import { useSaving } from '@kit/web'
import { PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ExceptionDialog } from './exception-dialog.tsx'
import type { PlanPatch } from './use-upgrade.ts'

type Props = { plan: UpgradePlan; save: (patch: PlanPatch) => Promise<unknown> }

/** 例外: pupils who do otherwise than their class. */
export function ExceptionStep({ plan, save }: Props): ReactNode {
  const [adding, setAdding] = useState(false)
  const { busy, refused, run } = useSaving()
  const remove = (gone: string) => run(() => save({ people: plan.people.filter(person => person.user_id !== gone).map(({ user_id, action, target_dept_id, reason }) => ({ user_id, action, target_dept_id, reason })) }), '已移除')
  return (
    <section className="up-panel" aria-label="例外学生">
      <div className="up-bar">
        <p>留级、跳级、调班、离校和留校的学生在这里登记，其余学生随班级走。休学学生保持休学，随班级走。</p>
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setAdding(true)}>添加例外</Button>
      </div>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {plan.people.length === 0 ? (
        <p className="up-none">没有例外学生，所有学生随班级走。</p>
      ) : (
        <table className="up-table">
          <thead>
            <tr><th>姓名</th><th>学号</th><th>现班级</th><th>类型</th><th>要去的班级</th><th>原因</th><th>操作</th></tr>
          </thead>
          <tbody>
            {plan.people.map(person => (
              <tr key={person.user_id}>
                <td>{person.user_name}</td><td>{person.student_no}</td><td>{person.dept_name}</td><td>{UPGRADE_EXCEPTION.names[person.action]}</td><td>{person.target_name ?? '—'}</td><td>{person.reason}</td>
                <td><Button type="link" size="small" disabled={busy} aria-label={`移除${person.user_name}`} onClick={() => void remove(person.user_id)}>移除</Button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {adding && <ExceptionDialog plan={plan} save={save} onClose={() => setAdding(false)} />}
    </section>
  )
}
