import { reach_reasons, role_names } from '@campus/publishing/contract'
import type { PostDetail, PostReport, ReceiptRow, SubmissionRow } from '@campus/publishing/contract'
import { call, Can, downloadFile, instantText, PageTabs } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Chart } from '@kit/web/chart'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Input, Progress, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Streaks } from './streaks.tsx'
import { percent } from './variants.ts'
import type { Variant } from './variants.ts'

const RemindDialog = lazyDialog(() => import('./remind-dialog.tsx').then(part => part.RemindDialog))
const ReasonDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.ReasonDialog))
const [high, middle, pupil] = [90, 60, 1] as const
const page_size = 20

/** What came of a post: rings, classes, people, answers (chapter 60 §5). */
export function PostStats({ variant, post }: { variant: Variant; post: PostDetail }): ReactNode {
  const report = useCall(variant.api.report, { notice_id: post.id })
  const [dept_id, choose] = useState<string | undefined>()
  const { open, close, dialog } = useDialog()
  const remind = () => open(<RemindDialog api={variant.api} id={post.id} reply_kind={post.reply_kind} onClose={close} onDone={() => void report.refetch()} />)
  return (
    <Loaded query={report}>
      {found => (
        <>
          <Rings report={found} post={post} onRemind={post.can.includes('remind') ? remind : null} />
          <h2>班级/部门</h2>
          <div className="pub-tiles">
            {found.by_dept.map(one => {
              const rate = percent(one.read, one.expected)
              return <button key={one.dept_id} type="button" aria-pressed={dept_id === one.dept_id} data-rate={rate >= high ? 'high' : rate >= middle ? 'middle' : 'low'} onClick={() => choose(dept_id === one.dept_id ? undefined : one.dept_id)}>{one.dept_name}<br /><b className="kit-number">{one.read}/{one.expected}</b> <small>{rate}%</small></button>
            })}
          </div>
          {found.curve.length > 1 && <Chart title="阅读进度" height={180} data={{ kind: 'line', categories: found.curve.map(one => instantText(one.at)), series: [{ name: '已读', values: found.curve.map(one => one.read) }] }} />}
          <Tallies report={found} />
          <People variant={variant} post={post} dept_id={dept_id === '0' ? undefined : dept_id} />
          {dialog}
        </>
      )}
    </Loaded>
  )
}

function Rings({ report, post, onRemind }: { report: PostReport; post: PostDetail; onRemind: (() => void) | null }): ReactNode {
  const { expected, read, submitted, unreachable, phoned, left, late_joined, median_minutes } = report
  const facts = [['未触达', unreachable], ['已电话告知', phoned], ['已离校', left], ['后加入', late_joined], ['阅读用时中位(分钟)', median_minutes ?? '—']] as const
  return (
    <div className="pub-rings">
      <Progress type="circle" size={96} percent={percent(read, expected)} format={() => `${read}/${expected}`} aria-label="已读" /><span>已读</span>
      {post.reply_kind > 0 && <><Progress type="circle" size={96} percent={percent(submitted, expected)} format={() => `${submitted}/${expected}`} aria-label="已提交" /><span>已提交</span></>}
      <dl className="pub-facts">{facts.map(([label, value]) => <div key={label}><dt>{label}</dt><dd className="kit-number">{value}</dd></div>)}</dl>
      {onRemind !== null && <Button type="primary" onClick={onRemind}>提醒未读</Button>}
    </div>
  )
}

function Tallies({ report }: { report: PostReport }): ReactNode {
  if (report.hidden_answers) return <p className="pub-hint">匿名问卷满5份后显示结果</p>
  return report.fields.map(field => (
    <section key={field.key}>
      <h2>{field.label} <small>{field.answered}份</small></h2>
      {field.options.map(option => <div key={option.text}>{option.text}<Progress size="small" aria-label={option.text} percent={percent(option.n, field.answered)} format={() => `${option.n}`} /></div>)}
      {field.texts.length > 0 && <p>{field.texts.slice(0, 10).join('；')}</p>}
    </section>
  ))
}

const states = [{ key: 'unread', label: '未读' }, { key: 'read', label: '已读' }, { key: 'uncommitted', label: '未提交' }, { key: 'committed', label: '已提交' }, { key: 'unreachable', label: '未触达' }, { key: 'answers', label: '提交内容' }, { key: 'streaks', label: '打卡天数' }] as const
type State = (typeof states)[number]['key']

function People({ variant, post, dept_id }: { variant: Variant; post: PostDetail; dept_id: string | undefined }): ReactNode {
  const [state, setState] = useState<State>('unread')
  const [keyword, setKeyword] = useState('')
  const fit = states.filter(one => one.key !== 'streaks' || post.repeat_rule !== null)
  const shown = fit.filter(one => post.reply_kind > 0 || one.key === 'unread' || one.key === 'read' || one.key === 'unreachable')
  const what = state === 'answers' ? 'answers' : 'receipts'
  const { busy, act } = useAct([])
  const save = () => act(() => downloadFile(variant.api.exportReceipts, { notice_id: post.id, what }, { quiet: true }))
  return (
    <>
      <Can code={variant.api.exportReceipts}>
        <Button className="pub-export" loading={busy} onClick={() => void save()}>{what === 'answers' ? '导出提交内容' : '导出回执'}</Button>
      </Can>
      <PageTabs tabs={shown} value={state} onChange={setState} />
      {state === 'streaks' && <Streaks key={dept_id ?? ''} variant={variant} id={post.id} dept_id={dept_id} />}
      {state === 'answers' && <Answers variant={variant} post={post} dept_id={dept_id} />}
      {state !== 'answers' && state !== 'streaks' && (
        <>
          <Input.Search allowClear className="kit-fill" placeholder="姓名" aria-label="查找人员" onSearch={setKeyword} />
          <Receipts key={`${state}-${dept_id ?? ''}-${keyword}`} variant={variant} post={post} state={state} dept_id={dept_id} keyword={keyword} />
        </>
      )}
    </>
  )
}

const roles: Readonly<Record<string, string>> = role_names
const reasons: Readonly<Record<string, string>> = reach_reasons
const receipt_columns: TableColumnType<ReceiptRow>[] = [
  { title: '姓名', dataIndex: 'user_name', width: 112 }, { title: '身份', key: 'role', width: 72, render: (_, row) => roles[String(row.role)] }, { title: '学生', key: 'subject', width: 112, render: (_, row) => (row.role === 2 ? row.subject_name : '') },
  { title: '班级/部门', dataIndex: 'dept_name', width: 140 }, { title: '手机', dataIndex: 'phone_masked', width: 120 }, { title: '阅读时间', key: 'read', width: 140, render: (_, row) => (row.read_at === null ? '' : instantText(row.read_at)) },
  { title: '提交时间', key: 'submitted', width: 160, render: (_, row) => (row.submitted_at === null ? '' : <>{instantText(row.submitted_at)} {row.late && <Tag color="orange">迟交</Tag>}</>) },
  { title: '提醒', dataIndex: 'remind_count', width: 64, align: 'right' }, { title: '未触达原因', key: 'why', width: 112, render: (_, row) => (row.reach_reason === null ? '' : reasons[String(row.reach_reason)]) },
]

type ReceiptsProps = { variant: Variant; post: PostDetail; state: Exclude<State, 'answers' | 'streaks'>; dept_id: string | undefined; keyword: string }

/** What a teacher does for a family that has not read: he tells it by telephone and notes that; it is no reading (chapter 60 rule 12). */
function Phoned({ row, mark }: { row: ReceiptRow; mark: ((row: ReceiptRow, phoned: boolean) => void) | null }): ReactNode {
  const { phoned_at, phoned_by_name, subject_name } = row
  if (phoned_at !== null) {
    const noted = <span title={`${phoned_by_name ?? ''} ${instantText(phoned_at)}`}><Tag color="blue">已电话告知</Tag></span>
    return mark === null || row.read_at !== null ? noted : (
      <>{noted}<Button type="link" size="small" aria-label={`取消电话告知 ${subject_name}`} onClick={() => mark(row, false)}>取消</Button></>
    )
  }
  if (mark === null || row.read_at !== null || row.role === pupil) return ''
  return <Button type="link" size="small" aria-label={`已电话告知 ${subject_name}`} onClick={() => mark(row, true)}>已电话告知</Button>
}

function Receipts({ variant, post, state, dept_id, keyword }: ReceiptsProps): ReactNode {
  const { id } = post
  const [page_index, goTo] = useState(1)
  const { act } = useAct([variant.api.report, variant.api[state]])
  const mark = (row: ReceiptRow, phoned: boolean) =>
    void act(() => call(variant.api.phoned, { notice_id: id, subject_ids: [row.subject_user_id], phoned }, { quiet: true }), {
      done: phoned ? '已记录电话告知' : '已取消',
    })
  const may_mark = post.can.includes('remind')
  const columns = [
    ...receipt_columns,
    { title: '电话告知', key: 'phoned', width: 148, render: (_: unknown, row: ReceiptRow) => <Phoned row={row} mark={may_mark ? mark : null} /> },
  ]
  const query = useCall(variant.api[state], { notice_id: id, page_index, page_size, keyword, ...(dept_id === undefined ? {} : { dept_id }) }, { keep: true })
  return (
    <Loaded query={query} rows={4}>
      {({ list, total }) => <Table<ReceiptRow> size="small" rowKey="key" dataSource={list} columns={columns} locale={{ emptyText: '没有人员' }} pagination={{ current: page_index, pageSize: page_size, total, showSizeChanger: false, onChange: goTo, showTotal: count => `共 ${count} 人` }} />}
    </Loaded>
  )
}

function Answers({ variant, post, dept_id }: { variant: Variant; post: PostDetail; dept_id: string | undefined }): ReactNode {
  const { api } = variant
  const [page_index, goTo] = useState(1)
  const query = useCall(api.submissions, { notice_id: post.id, page_index, page_size, ...(dept_id === undefined ? {} : { dept_id }) }, { keep: true })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([api.submissions, api.report])
  const giveBack = (row: SubmissionRow) => open(<ReasonDialog title={`退回${row.subject_name}的提交`} ok="退回" save={reason => call(api.giveBack, { id: row.id, reason }, { quiet: true })} onClose={close} onDone={() => void query.refetch()} />)
  const review = (row: SubmissionRow) => act(() => call(api.review, { ids: [row.id], grade: '已阅', note: '' }, { quiet: true }), { done: '已批阅' })
  const columns: TableColumnType<SubmissionRow>[] = [
    { title: '学生/人员', dataIndex: 'subject_name', width: 112 }, { title: '提交人', dataIndex: 'user_name', width: 112 }, { title: '时间', key: 'at', width: 150, render: (_, row) => <>{instantText(row.at)} {row.late && <Tag color="orange">迟交</Tag>}</> },
    { title: '内容', key: 'answers', render: (_, row) => (row.signature === null ? wordsOf(row, post) : <><img className="pub-signature" src={row.signature} alt={`${row.user_name}的签名`} />{!row.signed_current && <Tag color="orange">需重新签字</Tag>}</>) },
    { title: '批阅', key: 'grade', width: 120, render: (_, row) => (row.state === 2 ? `已退回：${row.note ?? ''}` : (row.grade ?? '')) },
    { title: '操作', key: 'acts', width: 120, render: (_, row) => row.state !== 2 && post.can.includes('edit') && <><Button type="link" size="small" aria-label={`批阅 ${row.subject_name}`} onClick={() => void review(row)}>批阅</Button><Button type="link" size="small" aria-label={`退回 ${row.subject_name}`} onClick={() => giveBack(row)}>退回</Button></> },
  ]
  return (
    <>
      <Loaded query={query} rows={4}>
        {({ list, total }) => <Table<SubmissionRow> size="small" rowKey="id" dataSource={list} columns={columns} locale={{ emptyText: post.anonymous ? '匿名问卷不显示填写人' : '还没有人提交' }} pagination={{ current: page_index, pageSize: page_size, total, showSizeChanger: false, onChange: goTo }} />}
      </Loaded>
      {dialog}
    </>
  )
}

function wordsOf({ answers }: SubmissionRow, { form }: PostDetail): string {
  const label = (key: string) => form.find(field => field.key === key)?.label ?? '回复'
  return Object.entries(answers).map(([key, value]) => `${label(key)}：${[value].flat().join('、')}`).join('；')
}
