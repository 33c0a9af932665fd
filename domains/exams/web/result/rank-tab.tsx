import { examSheetApi, resultApi } from '@campus/exams/contract'
import type { ExamRow, ResultRow } from '@campus/exams/contract'
import { AppModal, call, dictionaryName, downloadFile, leaving, printOn, useCan, useSaving } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { ExportButton } from '@kit/web/export'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Select, Table } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { CompareSelect } from './compare-select.tsx'
import { ScoreSlips } from './score-slips.tsx'

const released = 6

/** 成绩: the pupils of a class with scores, total, ranks and progress by percentile. */
export function RankTab({ exam, dept_id, picker }: { exam: ExamRow; dept_id: string; picker: ReactNode }): ReactNode {
  const [compare_id, compare] = useState<string>()
  const query = useCall(resultApi.list, { exam_id: exam.exam_id, dept_id, ...(compare_id === undefined ? {} : { compare_id }) }, { keep: true })
  const { open, close, dialog } = useDialog()
  const may_amend = useCan(resultApi.amend) && exam.state === released
  const papers = [...new Map((query.data?.list ?? []).flatMap(row => row.scores.map(one => [one.paper_id, one.subject] as const)))]
  const number = (value: number | null) => <span className="kit-number">{value ?? '—'}</span>
  const written = () => void query.refetch()
  const amend = (row: ResultRow) => open(<AmendDialog exam={exam} row={row} onClose={close} onDone={written} />)
  const columns = [
    { key: 'name', title: '姓名', width: 96, fixed: 'left' as const, dataIndex: 'user_name' },
    { key: 'no', title: '学号', width: 120, dataIndex: 'student_no' },
    ...papers.map(([paper_id, subject]) => ({
      key: paper_id, title: dictionaryName('SUBJECT', subject), width: 96, align: 'right' as const,
      render: (_: unknown, row: ResultRow) => { const one = row.scores.find(each => each.paper_id === paper_id); return one ? <span className="kit-number">{one.text || '—'}{one.assigned !== null && <small>（赋{one.assigned}）</small>}</span> : '' },
    })),
    { key: 'total', title: '总分', width: 80, align: 'right' as const, render: (_: unknown, row: ResultRow) => <b>{number(row.total)}</b> },
    { key: 'class', title: '班名次', width: 72, align: 'right' as const, render: (_: unknown, row: ResultRow) => number(row.rank_class) },
    { key: 'grade', title: '年级名次', width: 80, align: 'right' as const, render: (_: unknown, row: ResultRow) => number(row.rank_grade) },
    { key: 'change', title: '进步', width: 80, align: 'right' as const, render: (_: unknown, row: ResultRow) => (row.change === null ? '—' : <span className={row.change < 0 ? 'kit-bad' : undefined}>{row.change > 0 && '+'}{row.change}</span>) },
    { key: 'act', title: '', width: 72, render: (_: unknown, row: ResultRow) => may_amend && <Button type="link" size="small" aria-label={`申请更正 ${row.user_name}`} onClick={() => amend(row)}>更正</Button> },
  ]
  return (
    <>
      <div className="exam-head kit-no-print">
        {picker}<CompareSelect exam={exam} value={compare_id} onChange={compare} /><small>总分只计全部科目都有成绩的学生；进步为年级百分位之差</small>
        <span className="exam-spring" />
        <ExportButton
          code={examSheetApi.score} title="导出本班成绩" unit="人" total={query.data?.list.length} kept="24 小时" reason_above={0}
          run={reason => downloadFile(examSheetApi.score, { exam_id: exam.exam_id, dept_id, reason }, { quiet: true })}
        />
        <Button disabled={!query.data} onClick={() => printOn('A4', 'portrait')}>打印成绩条</Button>
      </div>
      <Loaded query={query} rows={10} empty="该班没有考生">
        {({ list }) => (
          <>
            <Table<ResultRow>
              className="kit-no-print" size="small" rowKey="user_id" columns={columns} dataSource={list} pagination={false} scroll={{ x: 600 + papers.length * 96, y: 'calc(100vh - 320px)' }}
            />
            <ScoreSlips exam={exam} list={list} />
          </>
        )}
      </Loaded>
      {dialog}
    </>
  )
}

function AmendDialog({ exam, row, onClose, onDone }: { exam: ExamRow; row: ResultRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ paper_id: string; value: string; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await form.validateFields()
    if (!(await run(() => call(resultApi.amend, { exam_id: exam.exam_id, user_id: row.user_id, ...values }, { quiet: true }), '已提交，等待另一人审批'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`申请更正：${row.user_name}`} okText="提交"
      confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-amend" layout="vertical">
        <Form.Item name="paper_id" label="科目" required rules={[{ required: true, message: '请选择科目' }]}><Select options={row.scores.map(one => ({ value: one.paper_id, label: `${dictionaryName('SUBJECT', one.subject)}（现为${one.text || '空'}）` }))} /></Form.Item>
        <Form.Item name="value" label="更正为" required rules={[{ required: true, message: '请填写更正后的成绩' }]}><Input maxLength={10} placeholder="分数、零分、缺考、缓考、作弊或免考" /></Form.Item>
        <Form.Item name="reason" label="原因" required rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}><Input.TextArea rows={3} maxLength={200} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
