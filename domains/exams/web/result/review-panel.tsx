import { resultApi, review_states, reviewApi } from '@campus/exams/contract'
import type { ExamRow, ReviewRow } from '@campus/exams/contract'
import { AppModal, call, instantText, leaving, useCan, useSaving } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Radio, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'default', 2: 'blue' }
const names: Readonly<Record<number, string>> = review_states

/** 查分: what families ask about, and the answers. */
export function ReviewPanel({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(reviewApi.page, { exam_id: exam.exam_id })
  const { act } = useAct([reviewApi.page, resultApi.amends])
  const { open, close, dialog } = useDialog()
  const may_answer = useCan(reviewApi.answer)
  const answer = (row: ReviewRow) => open(<AnswerDialog row={row} onClose={close} onDone={() => void act(() => query.refetch())} />)
  const columns = [
    { key: 'who', title: '学生', width: 176, render: (_: unknown, row: ReviewRow) => `${row.user_name}（${row.dept_name}）` },
    { key: 'subject', title: '科目', width: 96, dataIndex: 'subject' },
    { key: 'score', title: '成绩', width: 72, align: 'right' as const, dataIndex: 'score' },
    { key: 'reason', title: '原因', dataIndex: 'reason' },
    { key: 'asked', title: '申请', width: 168, render: (_: unknown, row: ReviewRow) =>
      `${row.asked_by_name} ${instantText(row.asked_at).slice(5, 16)}` },
    { key: 'state', title: '状态', width: 120, render: (_: unknown, row: ReviewRow) =>
      <Tag color={colors[row.state]}>{names[row.state]}</Tag> },
    {
      key: 'answer', title: '答复', width: 240,
      render: (_: unknown, row: ReviewRow) => (row.state === 0 ? may_answer && <Button type="link" size="small" onClick={() =>
        answer(row)}>答复</Button> : `${row.answered_by_name ?? ''}：${row.answer}`),
    },
  ]
  return (
    <Loaded query={query} rows={4}>
      {({ list }) => (
        <>
          <Table<ReviewRow>
            size="small" rowKey="review_id" columns={columns} dataSource={list} pagination={{ pageSize: 20, showSizeChanger: false }}
            locale={{ emptyText: '没有查分申请：成绩发布后3天内学生和家长可在手机“我的成绩”中申请' }}
          />
          {dialog}
        </>
      )}
    </Loaded>
  )
}

type Values = { kept: boolean; value?: string; answer: string }

function AnswerDialog({ row, onClose, onDone }: { row: ReviewRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const kept = Form.useWatch('kept', form) ?? true
  const save = async () => {
    const values = await form.validateFields()
    const body = { review_id: row.review_id, value: values.kept ? null : (values.value ?? ''), answer: values.answer }
    if (!(await run(() => call(reviewApi.answer, body, { quiet: true }), '已答复'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`查分答复：${row.user_name} ${row.subject}`} okText="答复" confirmLoading={busy} onOk={() =>
      void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-review" layout="vertical" initialValues={{ kept: true }}>
        <Form.Item label="申请原因">{row.reason}</Form.Item>
        <Form.Item name="kept" label="复查结果"><Radio.Group options={[{ value: true, label: `维持原分 ${row.score}` }, { value: false,
          label: '更正' }]} /></Form.Item>
        {!kept && (
          <Form.Item name="value" label="更正后的成绩" required extra="另一人审批后生效" rules={[{ required: true, whitespace: true,
            message: '请填写更正后的成绩' }]}>
            <Input maxLength={10} />
          </Form.Item>
        )}
        <Form.Item name="answer" label="答复" required extra="学生和家长在“我的成绩”中看到" rules={[{ required: true, min: 2, message: '请填写2至200个字的答复' }]}>
          <Input.TextArea rows={3} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
