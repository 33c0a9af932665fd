import { EXAM_WAY, examApi } from '@campus/exams/contract'
import type { ExamPlan, PaperDraft } from '@campus/exams/contract'
import { call, dictionaryName, useCan, useDictionary } from '@kit/web'
import { useAct } from '@kit/web/act'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, InputNumber, Select, Space, Table } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Draft = PaperDraft & { key: string }
type Grade = PaperDraft['grade']
const usual = { dept_ids: [], exam_way: '1', full_score: 100, minutes: 90, excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40, assign: 'none', in_total: true } as const
const majors = ['13', '14', '41']
const major_score = 150
const major_minutes = 120

const draftsOf = ({ papers }: ExamPlan): Draft[] => papers.map(paper => ({ ...paper, key: paper.paper_id }))

/** 科目: the papers of each grade; full marks, time, lines, which classes sit them. */
export function PaperPanel({ plan, readOnly, written }: { plan: ExamPlan; readOnly: boolean; written: () => unknown }): ReactNode {
  const [drafts, put] = useState(() => draftsOf(plan))
  const subjects = useDictionary('SUBJECT')
  const may_edit = useCan(examApi.savePapers) && !readOnly
  const { busy, act } = useAct([], written)
  const change = (key: string, patch: Partial<Draft>) => put(drafts.map(one => (one.key === key ? { ...one, ...patch } : one)))
  const grades = plan.exam.grades.filter((code): code is Grade => code.length === 2)
  const add = (grade: Grade, subject: string) => {
    const major = majors.includes(subject) ? { full_score: major_score, minutes: major_minutes } : {}
    put([...drafts, { ...usual, dept_ids: [], ...major, key: `${grade}-${subject}`, paper_id: null, grade, subject }])
  }
  const save = () => act(() => call(examApi.savePapers, { exam_id: plan.exam.exam_id, papers: drafts.map(({ key: _key, ...paper }) => paper) }, { quiet: true }), { done: '科目已保存' })
  const columns = [
    { key: 'grade', title: '年级', width: 80, render: (_: unknown, row: Draft) => dictionaryName('GRADE', row.grade) },
    { key: 'subject', title: '学科', width: 112, render: (_: unknown, row: Draft) => dictionaryName('SUBJECT', row.subject) },
    { key: 'way', title: '方式', width: 104, render: (_: unknown, row: Draft) => <Select size="small" className="kit-fill" aria-label="方式" disabled={!may_edit} value={row.exam_way} onChange={exam_way => change(row.key, { exam_way })} options={EXAM_WAY.codes.map(value => ({ value, label: EXAM_WAY.names[value] }))} /> },
    { key: 'full', title: '满分', width: 88, render: (_: unknown, row: Draft) => <InputNumber size="small" className="kit-fill" aria-label="满分" disabled={!may_edit} min={1} max={300} step={5} value={row.full_score} onChange={value => change(row.key, { full_score: value ?? 1 })} /> },
    { key: 'minutes', title: '分钟', width: 88, render: (_: unknown, row: Draft) => <InputNumber size="small" className="kit-fill" aria-label="分钟" disabled={!may_edit} min={10} max={300} step={10} value={row.minutes} onChange={value => change(row.key, { minutes: value ?? 10 })} /> },
    { key: 'dept', title: '参加班级', render: (_: unknown, row: Draft) => <Select size="small" mode="multiple" showSearch={{ optionFilterProp: 'label' }} className="kit-fill" aria-label="参加班级" disabled={!may_edit} allowClear maxTagCount={3} placeholder="全年级" value={row.dept_ids} onChange={dept_ids => change(row.key, { dept_ids })} options={plan.classes.filter(one => one.grade === row.grade).map(one => ({ value: one.dept_id, label: one.dept_name }))} /> },
    { key: 'assign', title: '等级赋分', width: 80, render: (_: unknown, row: Draft) => <Checkbox aria-label="等级赋分" disabled={!may_edit} checked={row.assign !== 'none'} onChange={event => change(row.key, { assign: event.target.checked ? '3+1+2' : 'none' })} /> },
    { key: 'total', title: '计入总分', width: 80, render: (_: unknown, row: Draft) => <Checkbox aria-label="计入总分" disabled={!may_edit} checked={row.in_total} onChange={event => change(row.key, { in_total: event.target.checked })} /> },
    { key: 'remove', title: '', width: 48, render: (_: unknown, row: Draft) => may_edit && <Button type="text" danger size="small" icon={<DeleteOutlined aria-hidden />} aria-label={`删除 ${dictionaryName('SUBJECT', row.subject)}`} onClick={() => put(drafts.filter(one => one.key !== row.key))} /> },
  ]
  return (
    <>
      {may_edit && (
        <Space wrap>
          {grades.map(grade => (
            <Select<string> key={grade} className="exam-short" aria-label={`${dictionaryName('GRADE', grade)}添加学科`} suffixIcon={<PlusOutlined aria-hidden />} value={null} placeholder={`${dictionaryName('GRADE', grade)}添加`} onChange={subject => add(grade, subject)} options={subjects.filter(one => !drafts.some(draft => draft.grade === grade && draft.subject === one.value)).map(({ value, label }) => ({ value, label }))} showSearch={{ optionFilterProp: 'label' }} />
          ))}
          <Button type="primary" loading={busy} onClick={() => void save()}>保存科目</Button>
        </Space>
      )}
      <Table<Draft> size="small" rowKey="key" columns={columns} dataSource={drafts} pagination={false} scroll={{ x: 880 }} locale={{ emptyText: '还没有科目：从上方选择学科添加' }} />
    </>
  )
}
