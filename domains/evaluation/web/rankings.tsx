import { period_kinds, starShowApi } from '@campus/evaluation/contract'
import type { RankPlace, StarPeriod } from '@campus/evaluation/contract'
import { call, Can, instantText, PageFrame } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Segmented, Select, Table, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const SettleDialog = lazyDialog(() => import('./settle-dialog.tsx').then(part => part.SettleDialog))
type Kind = '1' | '2' | '3'
const kinds: { value: Kind; label: string }[] = [
  { value: '1', label: '周排行' },
  { value: '2', label: '月排行' },
  { value: '3', label: '学期排行' },
]
const subjects: { value: '1' | '2'; label: string }[] = [
  { value: '1', label: '学生' },
  { value: '2', label: '班级（人均）' },
]
const again_issued = 2
const nameOf = (one: StarPeriod) => `${one.begin_date} 至 ${one.end_date}${one.edition > 1 ? `（第${one.edition}版）` : ''}`

const settledText = ({ changed, edition }: { changed: boolean; edition: number }) => (changed ? `已结算第${edition}版` : '结果没有变化')

/** 往期排行: settled rankings with their editions; the public part alone (chapter 55 rule 44). */
export function Rankings({ dept_id }: { dept_id: string }): ReactNode {
  const [kind, setKind] = useState<Kind>('1')
  const [subject_kind, setSubject] = useState<'1' | '2'>('1')
  const [period_id, setPeriod] = useState<string>()
  const history = useCall(starShowApi.history, { kind })
  const ranking = useCall(starShowApi.ranking, { kind, subject_kind, dept_id, ...(period_id === undefined ? {} : { period_id }) })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([starShowApi.history, starShowApi.ranking])
  const settle = (day: string) => act(() => call(starShowApi.settle, { kind, day }, { quiet: true }), { done: settledText })
  const chooseKind = (next: Kind) => {
    setKind(next)
    setPeriod(undefined)
  }
  const choosePeriod = () => open(<SettleDialog word={period_kinds[kind] ?? ''} onClose={close} onSettle={settle} />)
  const editions = history.data?.list.map(one => ({ value: one.period_id, label: nameOf(one) })) ?? []
  const settleButton = (
    <Can code={starShowApi.settle}>
      <Button onClick={choosePeriod}>结算</Button>
    </Can>
  )
  return (
    <>
      <PageFrame actions={settleButton} />
      <div className="star-head">
        <Segmented options={kinds} value={kind} onChange={chooseKind} />
        <Segmented options={subjects} value={subject_kind} onChange={setSubject} />
        <Select
          className="star-period"
          aria-label="周期"
          placeholder="最近一期"
          allowClear
          options={editions}
          value={period_id}
          onChange={setPeriod}
        />
      </div>
      <Loaded query={ranking}>
        {({ period, list }) => (
          <>
            {period && <PeriodLine period={period} />}
            <Places list={list} is_pupil={subject_kind === '1'} is_settled={period !== null} />
          </>
        )}
      </Loaded>
      {dialog}
    </>
  )
}

function PeriodLine({ period }: { period: StarPeriod }): ReactNode {
  return (
    <p className="star-hint">
      {nameOf(period)}{' '}
      <Tag color={period.state === again_issued ? 'orange' : 'green'}>{period.state === again_issued ? '重新发布' : '已结算'}</Tag>{' '}
      {instantText(period.settled_at)}{' '}
      <Tooltip title={`校验值 ${period.hash}`}>
        <span>校验 {period.hash.slice(0, 8)}</span>
      </Tooltip>
    </p>
  )
}

type PlacesProps = { list: readonly RankPlace[]; is_pupil: boolean; is_settled: boolean }

function Places({ list, is_pupil, is_settled }: PlacesProps): ReactNode {
  return (
    <Table
      size="small"
      rowKey={row => `${row.rank} ${row.shown_name} ${row.dept_name} ${row.milli}`}
      dataSource={list}
      columns={columnsOf(is_pupil)}
      pagination={false}
      locale={{ emptyText: is_settled ? '该范围在这一期没有上榜' : '还没有结算过：每周一凌晨自动结算上一周' }}
    />
  )
}

function columnsOf(is_pupil: boolean) {
  return [
    { title: '名次', dataIndex: 'rank', width: 72 },
    { title: is_pupil ? '姓名' : '班级', dataIndex: 'shown_name', width: 160 },
    ...(is_pupil ? [{ title: '班级', dataIndex: 'dept_name', width: 160 }] : []),
    { title: '分值', dataIndex: 'milli', render: (milli: number) => milli / 1000 },
  ]
}
