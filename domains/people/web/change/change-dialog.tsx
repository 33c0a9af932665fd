import type { StudentRow } from '@campus/people/contract'
import { AppModal, leaving } from '@kit/web'
import { Alert, Button, Form } from 'antd'
import type { ReactNode } from 'react'
import { validated } from '../refused.ts'
import { draftOf, LeaveForm, MoveForm } from './change-forms.tsx'
import { ResumeForm, SuspendForm } from './pause-forms.tsx'
import type { PupilChangeKind } from './pupil-change-kind.ts'
import type { ChangeValues } from './change-forms.tsx'
import { Preview } from './change-preview.tsx'
import { Receipt, UndoBar } from './change-receipt.tsx'
import { useChange } from './use-change.ts'
import type { ChangeRun } from './use-change.ts'
import './change.css'

const takes_focus = { autoFocus: true }

const forms = {
  move: { title: '调班', Fields: MoveForm, first: 'to_dept_id' },
  leave: { title: '离校', Fields: LeaveForm, first: 'leave_kind' },
  suspend: { title: '休学', Fields: SuspendForm, first: 'until' },
  resume: { title: '复学', Fields: ResumeForm, first: 'to_dept_id' },
} as const

type Props = { kind: PupilChangeKind; rows: readonly StudentRow[]; to_dept_id?: string | undefined; onClose: () => void }

/** 调班, 离校, 休学 or 复学 in three steps: fill in, see what it does, done with a receipt. */
export function ChangeDialog({ kind, rows, to_dept_id, onClose }: Props): ReactNode {
  const [form] = Form.useForm<ChangeValues>()
  const run = useChange()
  const { title, Fields, first } = forms[kind]
  const look = async () => {
    const values = await validated(form)
    if (values) await run.look(draftOf(kind, rows, values))
  }
  const back = () => {
    run.back()
    requestAnimationFrame(() => form.focusField(first))
  }
  const { preview, receipt, refused } = run
  const leave = receipt ? onClose : leaving(form, onClose)
  return (
    <AppModal open width={640} title={title} footer={<Footer run={run} look={() => void look()} back={back} onClose={leave} />} onCancel={leave}>
      {refused !== null && <Alert className="change-refused" type="error" showIcon title={refused} />}
      <div hidden={preview !== null}>
        <Fields form={form} rows={rows} to_dept_id={to_dept_id} />
      </div>
      {preview && !receipt && <Preview preview={preview} />}
      {receipt && <Receipt receipt={receipt} />}
    </AppModal>
  )
}

/** The buttons of each step. Each has a key: the focus must not slip from 下一步 onto what stands in its place; the safe one of the new step has it. */
export function Footer({ run, look, back, onClose }: { run: ChangeRun; look: () => void; back: () => void; onClose: () => void }): ReactNode {
  const { preview, receipt, busy } = run
  if (receipt) {
    return (
      <div className="change-footer">
        <UndoBar receipt={receipt} busy={busy} undo={reason => void run.undo(reason)} />
        <Button key="close" type="primary" {...takes_focus} onClick={onClose}>关闭</Button>
      </div>
    )
  }
  if (!preview) {
    return (
      <div className="change-footer">
        <Button key="cancel" onClick={onClose}>取消</Button>
        <Button key="look" type="primary" loading={busy} aria-disabled={busy} onClick={look}>下一步：查看影响</Button>
      </div>
    )
  }
  return (
    <div className="change-footer">
      <Button key="back" {...takes_focus} disabled={busy} onClick={back}>上一步</Button>
      <Button key="apply" type="primary" danger loading={busy} aria-disabled={busy} disabled={preview.blocks.length > 0} onClick={() => void run.apply()}>
        确认办理（{preview.subjects.length} 人）
      </Button>
    </div>
  )
}
