import { correction_state_names, correctionApi, correctionList } from '@campus/attendance/contract'
import type { CorrectionRow, Who } from '@campus/attendance/contract'
import { AppModal, call, fieldsOf, Filters, ImportButton, leaving, ListPage, Table, useResourceList, useSaving,
  validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Alert, Button, Form, Input, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useDeptFilter } from './filters.tsx'
import { correction_colors } from './result-words.ts'
import { StateTag } from './state-tag.tsx'

const kinds = { student: '1', teacher: '2' } as const
const state_names: Readonly<Record<string, string>> = correction_state_names

const shown = ['lesson_date', 'section', 'user_name', 'dept_name', 'from_state', 'to_state', 'reason_text', 'origin', 'asked_name', 'state'] as const
const offered = ['user_no', 'course_name', 'reason_code', 'evidence_kind', 'asked_at', 'decided_name', 'opinion'] as const

/** 更正与申诉: what was corrected, and what waits for a second person. */
export function Corrections({ who, head }: { who: Who; head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const dept = useDeptFilter(who)
  const fixed = useMemo(() => ({ person_kind: kinds[who] }), [who])
  const fields = useMemo(
    () =>
      fieldsOf(correctionList, {
        dept_id: { filter: dept },
        from_state: { cell: fromCell },
        to_state: { cell: toCell },
        state: { cell: decidedCell },
      }),
    [dept],
  )
  const list = useResourceList(correctionApi.page, fields, { fixed, part: 'fix' })
  const { act, busy } = useAct([], list.refresh)
  const undo = (row: CorrectionRow) =>
    act(() => call(correctionApi.undo, { correction_id: row.correction_id, row_version: row.row_version }, { quiet: true }), {
      ask: { title: `确定撤销${row.user_name} ${row.lesson_date} 第${row.section}节的更正吗？`, ok: '撤销' },
      done: '已撤销',
    })
  const approve = (row: CorrectionRow) =>
    act(() => call(correctionApi.approve, { correction_id: row.correction_id, row_version: row.row_version }, { quiet: true }), {
      ask: { title: `同意将${row.user_name} ${row.lesson_date} 第${row.section}节更正吗？`, ok: '同意' },
      done: '已同意',
    })
  const reject = (row: CorrectionRow) => open(<RejectDialog of={row} onClose={close} onDone={() => void list.refresh()} />)
  return (
    <ListPage
      of={list}
      head={head}
      filters={<Filters of={list} show={['keyword', 'dept_id', 'state', 'origin', 'from']} />}
      actions={<Sheets of={list} fixed={fixed} />}
    >
      <Table
        of={list}
        show={shown}
        more={offered}
        row={actsOf({ busy, approve, reject, undo })}
        row_width={148}
        empty="还没有更正或申诉；在“明细”中选择记录可以更正"
      />
      {dialog}
    </ListPage>
  )
}

type SheetsProps = { of: { total: number; is_bounded?: boolean; values: Record<string, string>; refresh: () => unknown }; fixed: { person_kind: string } }

/** Corrections leave as a sheet and come in as one. */
function Sheets({ of, fixed }: SheetsProps): ReactNode {
  const again = () => void of.refresh()
  return (
    <>
      <ListExport of={of} fact={correctionList} call={correctionApi.export} fixed={fixed} />
      <ImportButton
        code="attendance.correct.import" template="attend_fix" title="考勤补录导入" label="补录导入" unit="条" onApplied={again}
      />
    </>
  )
}

function fromCell(row: CorrectionRow): ReactNode {
  return <StateTag state={row.from_state} />
}

function toCell(row: CorrectionRow): ReactNode {
  return <StateTag state={row.to_state} />
}

function decidedCell(row: CorrectionRow): ReactNode {
  return <Tag color={correction_colors[row.state]}>{state_names[String(row.state)]}</Tag>
}

type Acts = { busy: boolean } & Record<'approve' | 'reject' | 'undo', (row: CorrectionRow) => unknown>

function actsOf({ busy, approve, reject, undo }: Acts): (row: CorrectionRow) => ReactNode {
  return row => (
    <>
      {row.may_decide && (
        <Button type="link" size="small" disabled={busy} aria-label={`同意 ${row.user_name}`} onClick={() => void approve(row)}>
          同意
        </Button>
      )}
      {row.may_decide && (
        <Button type="link" size="small" danger disabled={busy} aria-label={`驳回 ${row.user_name}`} onClick={() => void reject(row)}>
          驳回
        </Button>
      )}
      {row.may_undo && (
        <Button type="link" size="small" disabled={busy} aria-label={`撤销 ${row.user_name}`} onClick={() => void undo(row)}>
          撤销
        </Button>
      )}
    </>
  )
}

function RejectDialog({ of, onClose, onDone }: { of: CorrectionRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ opinion: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(
        () => call(correctionApi.reject, { correction_id: of.correction_id, row_version: of.row_version, ...values }, { quiet: true }),
        '已驳回',
      ))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={`驳回 · ${of.user_name}`}
      okText="驳回"
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="attend-reject" layout="vertical">
        <Form.Item name="opinion" label="驳回意见" rules={[{ required: true, whitespace: true, message: '请填写驳回意见' }]}>
          <Input.TextArea rows={3} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
