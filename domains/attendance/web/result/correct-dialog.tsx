import {
  ATTEND_STATE,
  correctable_states,
  correction_fields,
  correctionApi,
  evidence_names,
  filed_evidence,
  reason_names,
} from '@campus/attendance/contract'
import type { DetailRow, EvidenceKind } from '@campus/attendance/contract'
import { AppModal, call, leaving, ruleOf, toast, useSaving, validValues } from '@kit/web'
import { UploadField } from '@kit/web/upload'
import type { Uploaded, UploadRule } from '@kit/web/upload'
import { readNumber } from '@kit/web/number'
import { Alert, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'

type Values = {
  to_state: number
  late_min?: number
  early_min?: number
  reason_code: keyof typeof reason_names
  reason_text: string
  evidence_kind: EvidenceKind
  files?: Uploaded[]
}
const file_rule: UploadRule = { purpose: 'attachment', kind: '1', prepare: 'as_is' }
const extensions = ['.jpg', '.jpeg', '.png']
const [late, early] = [2, 3] as const
const most_files = 5
const names: Readonly<Record<string, string>> = ATTEND_STATE.names
const options = (of: Readonly<Record<string, string>>) => Object.entries(of).map(([value, label]) => ({ value, label }))
const homes = { 'attend.evidence': 'files', 'attend.sameState': 'to_state' }

/** 更正 of one row or of many: what it should say, why, and the evidence; rows that may not be corrected are named afterwards. */
export function CorrectDialog({
  rows,
  onClose,
  onDone,
}: {
  rows: readonly DetailRow[]
  onClose: () => void
  onDone: () => void
}): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const [to_state, evidence_kind] = [Form.useWatch('to_state', form), Form.useWatch('evidence_kind', form)]
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => send(rows, values)))) return
    onDone()
    onClose()
  }
  const [first] = rows
  const title =
    rows.length === 1 && first ? `更正 · ${first.user_name} ${first.lesson_date} 第${first.section}节` : `批量更正 ${rows.length}条`
  return (
    <AppModal open width={560} title={title} okText="更正" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>更正在原判定之上生效，重新计算后仍保留；7天内可以撤销。</p>
      <Form
        form={form}
        name="attend-correct"
        layout="vertical"
        initialValues={{ to_state: 1, reason_code: 'forgot', evidence_kind: 'teacher' }}
      >
        <Fields to_state={to_state} evidence_kind={evidence_kind} />
      </Form>
    </AppModal>
  )
}

function Fields({ to_state, evidence_kind }: Partial<Pick<Values, 'to_state' | 'evidence_kind'>>): ReactNode {
  return (
    <>
      <Form.Item name="to_state" label="更正为" rules={[ruleOf(correction_fields.to_state)]}>
        <Select options={correctable_states.map(value => ({ value, label: names[String(value)] }))} />
      </Form.Item>
      {to_state === late && (
        <Form.Item name="late_min" label="迟到(分钟)" rules={[ruleOf(correction_fields.late_min)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
      )}
      {to_state === early && (
        <Form.Item name="early_min" label="早退(分钟)" rules={[ruleOf(correction_fields.early_min)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
      )}
      <Form.Item name="reason_code" label="原因" rules={[{ required: true, message: '请选择原因' }]}>
        <Select options={options(reason_names)} />
      </Form.Item>
      <Form.Item name="reason_text" label="说明" rules={[ruleOf(correction_fields.reason_text)]}>
        <Input.TextArea rows={2} maxLength={200} showCount />
      </Form.Item>
      <Form.Item name="evidence_kind" label="佐证" rules={[{ required: true, message: '请选择佐证' }]}>
        <Select options={options(evidence_names)} />
      </Form.Item>
      <Form.Item name="files" label="佐证图片" required={evidence_kind !== undefined && filed_evidence.includes(evidence_kind)}>
        <UploadField rule={file_rule} extensions={extensions} most={most_files} hint={`最多${most_files}张图片`} />
      </Form.Item>
    </>
  )
}

async function send(rows: readonly DetailRow[], { files = [], late_min = 0, early_min = 0, ...values }: Values): Promise<void> {
  const keys = rows.map(({ lesson_date, expect_kind, occurrence_id, user_id }) => ({ lesson_date, expect_kind, occurrence_id, user_id }))
  const { correction_ids, refused } = await call(
    correctionApi.add,
    { rows: keys, ...values, late_min, early_min, file_keys: files.map(file => file.file_key) },
    { quiet: true },
  )
  const [first] = refused
  if (first) toast.warning(`已更正${correction_ids.length}条，${refused.length}条未更正：${first.user_name} ${first.msg}`)
  else toast.success(`已更正${correction_ids.length}条`)
}
