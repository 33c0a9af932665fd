import { teachingApi } from '@campus/teaching/contract'
import type { CopyLine, TeachingTerm } from '@campus/teaching/contract'
import { AppModal, call } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { termOptions } from '../use-terms.tsx'

type Props = { terms: readonly TeachingTerm[]; to: number | undefined; onClose: () => void; onDone: () => void }
const verdicts: Readonly<Record<CopyLine['verdict'], [string, string]>> = { new: ['沿用', 'green'], left: ['教师已离校', 'red'], grade: ['课程不适用该年级', 'red'], present: ['已存在', 'default'], closed: ['班级已不存在', 'default'] }
const columns = [
  { key: 'class', title: '班级', width: 200, dataIndex: 'class_name' },
  { key: 'course', title: '课程', width: 140, dataIndex: 'course_name' },
  { key: 'teachers', title: '教师', dataIndex: 'teachers' },
  { key: 'verdict', title: '结果', width: 140, render: (_: unknown, { verdict }: CopyLine) => <Tag color={verdicts[verdict][1]}>{verdicts[verdict][0]}</Tag> },
]

/** 任课复制: what another term's teaching would become in this one, line by line, before anything is written (chapter 50 rule 14). */
export function CopyDialog({ terms, to, onClose, onDone }: Props): ReactNode {
  const others = terms.filter(term => term.semester_id !== to)
  const [from, choose] = useState(others[0]?.semester_id)
  const asked = { from: from ?? 10_000, to: to ?? 10_001, preview: true }
  const preview = useCall(teachingApi.copy, asked, { enabled: from !== undefined && to !== undefined })
  const { busy, act } = useAct([], onDone)
  const fresh = preview.data?.lines.filter(line => line.verdict === 'new').length ?? 0
  const save = async () => {
    const done = await act(() => call(teachingApi.copy, { ...asked, preview: false }, { quiet: true }), { done: ({ copied }) => `已复制 ${copied}项任课` })
    if (done) onClose()
  }
  return (
    <AppModal open width={760} title="任课复制" okText={`复制 ${fresh}项`} okButtonProps={{ disabled: fresh === 0 }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <p>从 <Select className="teaching-term" aria-label="来源学期" value={from} onChange={choose} options={termOptions(others)} placeholder="选择学期" /> 复制到 {terms.find(term => term.semester_id === to)?.name}。班级按档案对应，升级后的班级显示新名称。</p>
      {others.length > 0 && (
        <Loaded query={preview} rows={6}>
          {({ lines }) => <Table<CopyLine> size="small" rowKey={line => `${line.class_name} ${line.course_name}`} columns={columns} dataSource={lines} pagination={{ pageSize: 20, showSizeChanger: false }} scroll={{ y: 320 }} locale={{ emptyText: '来源学期没有任课' }} />}
        </Loaded>
      )}
    </AppModal>
  )
}
