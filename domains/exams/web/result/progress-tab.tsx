import { resultApi, scoreApi } from '@campus/exams/contract'
import type { EntryTask, ExamRow } from '@campus/exams/contract'
import { AppModal, call, dictionaryName, instantText, leaving, useCan, useSaving } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Progress, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

/** 进度: who has entered and handed in what; the office gives a task back. */
export function ProgressTab({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(scoreApi.tasks, { exam_id: exam.exam_id })
  const client = useQueryClient()
  const { open, close, dialog } = useDialog()
  const may_return = useCan(scoreApi.giveBack)
  const written = () => { void query.refetch(); void client.invalidateQueries({ queryKey: [resultApi.state.call] }) }
  const giveBack = (row: EntryTask) => open(<ReturnDialog exam={exam} task={row} onClose={close} onDone={written} />)
  const columns = [
    { key: 'class', title: '班级', width: 144, dataIndex: 'dept_name' },
    { key: 'subject', title: '科目', width: 112, render: (_: unknown, row: EntryTask) => dictionaryName('SUBJECT', row.subject) },
    { key: 'teachers', title: '任课教师', width: 160, dataIndex: 'teachers' },
    { key: 'entered', title: '已录', width: 200, render: (_: unknown, row: EntryTask) => <Progress size="small" percent={row.wanted === 0 ? 0 : Math.floor((row.entered / row.wanted) * 100)} format={() => `${row.entered}/${row.wanted}`} aria-label="录分进度" /> },
    { key: 'state', title: '状态', render: (_: unknown, row: EntryTask) => (row.submitted_at === null ? <Tag>未提交</Tag> : <Tag color="green">{row.submitted_by} {instantText(row.submitted_at).slice(5, 16)} 提交</Tag>) },
    { key: 'act', title: '', width: 72, render: (_: unknown, row: EntryTask) => may_return && row.submitted_at !== null && exam.state < 6 && <Button type="link" size="small" aria-label={`退回 ${row.dept_name}`} onClick={() => giveBack(row)}>退回</Button> },
  ]
  return (
    <>
      <Loaded query={query} rows={10} empty="还没有考生：请先在考场安排中更新考生名单">
        {({ list }) => (
          <>
            <p>共 {list.length}个录分任务，未提交 <b>{list.filter(one => one.submitted_at === null).length}</b> 个</p>
            <Table<EntryTask> size="small" rowKey={row => `${row.paper_id} ${row.dept_id}`} columns={columns} dataSource={list} pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ y: 'calc(100vh - 340px)' }} />
          </>
        )}
      </Loaded>
      {dialog}
    </>
  )
}

function ReturnDialog({ exam, task: { paper_id, dept_id, dept_name }, onClose, onDone }: { exam: ExamRow; task: EntryTask; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const { reason } = await form.validateFields()
    if (!(await run(() => call(scoreApi.giveBack, { exam_id: exam.exam_id, paper_id, dept_id, reason }, { quiet: true }), '已退回'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={`退回：${dept_name}`} okText="退回" confirmLoading={busy} onOk={() => void save().catch(() => undefined)}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-return" layout="vertical"><Form.Item name="reason" label="原因" required rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item></Form>
    </AppModal>
  )
}
