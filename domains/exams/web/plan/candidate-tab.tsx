import { candidate_states, planApi } from '@campus/exams/contract'
import type { CandidateRow, ExamPlan } from '@campus/exams/contract'
import { AppModal, call, Can, leaving, useCan, useSaving, useSettled } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, Checkbox, Dropdown, Form, Input, InputNumber, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const [size, most_random] = [50, 1_000_000] as const
const names: Readonly<Record<number, string>> = candidate_states

/** 考生: the roll of the grades as candidates, their numbers, what they need. */
export function CandidateTab({ plan: { exam, classes }, written }: { plan: ExamPlan; written: () => void }): ReactNode {
  const { exam_id } = exam
  const [typed, type] = useState('')
  const keyword = useSettled(typed)
  const [dept_id, choose] = useState<string>()
  const [page_index, turn] = useState(1)
  const query = useCall(planApi.candidates, { exam_id, page_index, page_size: size, ...(keyword === '' ? {} : { keyword }), ...(dept_id === undefined ? {} : { dept_id }) }, { keep: true })
  const { busy, act } = useAct([planApi.candidates, planApi.seats], written)
  const { open, close, dialog } = useDialog()
  const may_edit = useCan(planApi.candidate)
  const refresh = async () => {
    const seen = await act(() => call(planApi.refresh, { exam_id, preview: true }, { quiet: true }))
    if (!seen) return
    const touches = `新增 ${seen.added}人，退出 ${seen.removed}人，班级或科目变化 ${seen.moved}人。${seen.names.slice(0, 8).join('、')}`
    await act(() => call(planApi.refresh, { exam_id, preview: false }, { quiet: true }), { ask: { title: '按在籍学生更新考生名单？', touches, ok: '更新' }, done: ({ unseated }) => (unseated > 0 ? `已更新，${unseated}人没有空座位` : '已更新考生名单') })
  }
  const number = (scheme: 'class' | 'random') => act(() => call(planApi.renumber, { exam_id, scheme, seed: 1 + Math.floor(Math.random() * most_random) }, { quiet: true }), { ask: { title: '重新编排考号？', touches: '已有的考号会被替换。', ok: '编排' }, done: ({ numbered }) => `已编排 ${numbered}个考号` })
  const edit = (row: CandidateRow) => open(<NeedsDialog exam_id={exam_id} row={row} onClose={close} onDone={() => { void query.refetch(); written() }} />)
  const columns = [
    { key: 'no', title: '考号', width: 112, render: (_: unknown, row: CandidateRow) => row.exam_no ?? '—' },
    { key: 'name', title: '姓名', width: 104, dataIndex: 'user_name' },
    { key: 'student', title: '学号', width: 128, dataIndex: 'student_no' },
    { key: 'class', title: '班级', width: 128, dataIndex: 'dept_name' },
    { key: 'papers', title: '科目', width: 64, align: 'right' as const, dataIndex: 'papers' },
    { key: 'seats', title: '已排座', width: 72, align: 'right' as const, render: (_: unknown, row: CandidateRow) => `${row.seats}场` },
    { key: 'needs', title: '特殊安排', render: (_: unknown, row: CandidateRow) => <>{row.state !== 0 && <Tag color="orange">{names[row.state]}</Tag>}{row.front_row && <Tag>前排</Tag>}{row.extra_minutes > 0 && <Tag>延长{row.extra_minutes}分钟</Tag>}</> },
    { key: 'act', title: '', width: 72, render: (_: unknown, row: CandidateRow) => may_edit && <Button type="link" size="small" aria-label={`设置 ${row.user_name}`} onClick={() => edit(row)}>设置</Button> },
  ]
  const schemes = [{ key: 'class', label: '年级＋班级＋序号', onClick: () => void number('class') }, { key: 'random', label: '随机不重复', onClick: () => void number('random') }]
  return (
    <>
      <div className="exam-head">
        <Input.Search className="exam-select" allowClear aria-label="查找考生" placeholder="姓名、学号或考号" value={typed} onChange={event => { type(event.target.value); turn(1) }} />
        <Select className="exam-short" allowClear aria-label="班级" placeholder="全部班级" value={dept_id} onChange={id => { choose(id); turn(1) }} options={classes.map(one => ({ value: one.dept_id, label: one.dept_name }))} />
        <Can code={planApi.refresh}><Button className="exam-spring" loading={busy} onClick={() => void refresh()}>更新名单</Button></Can>
        <Can code={planApi.renumber}><Dropdown menu={{ items: schemes }}><Button disabled={exam.state >= 2}>编排考号</Button></Dropdown></Can>
      </div>
      <Loaded query={query} rows={10}>
        {data => <Table<CandidateRow> size="small" rowKey="user_id" columns={columns} dataSource={data.list} pagination={{ pageSize: size, current: page_index, total: data.total, showSizeChanger: false, onChange: turn, showTotal: total => `共 ${total}人` }} scroll={{ y: 'calc(100vh - 340px)' }} locale={{ emptyText: '还没有考生：点“更新名单”按在籍学生生成' }} />}
      </Loaded>
      {dialog}
    </>
  )
}

type Values = { front_row: boolean; extra_minutes: number; state: 0 | 1 | 2 | 3 }

function NeedsDialog({ exam_id, row, onClose, onDone }: { exam_id: string; row: CandidateRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await form.validateFields()
    if (!(await run(() => call(planApi.candidate, { exam_id, user_id: row.user_id, ...values }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={`考生：${row.user_name}`} okText="保存"
      confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-candidate" layout="vertical" initialValues={{ front_row: row.front_row, extra_minutes: row.extra_minutes, state: row.state }}>
        <Form.Item name="state" label="参加情况" extra="退出、缓考、免考后座位空出，其他考生不动"><Select options={[0, 1, 2, 3].map(value => ({ value, label: names[value] }))} /></Form.Item>
        <Form.Item name="front_row" valuePropName="checked"><Checkbox>安排在前两排</Checkbox></Form.Item>
        <Form.Item name="extra_minutes" label="延长时间" rules={[wholeRule(0, 60)]}>
          <InputNumber parser={readNumber} step={5} suffix="分钟" />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
