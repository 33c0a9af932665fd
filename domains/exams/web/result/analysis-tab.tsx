import { resultApi } from '@campus/exams/contract'
import type { Analysis, ExamRow, Figures } from '@campus/exams/contract'
import { dictionaryName } from '@kit/web'
import { Chart } from '@kit/web/chart'
import { Loaded, useCall } from '@kit/web/part'
import { InputNumber, Segmented, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { CompareSelect } from './compare-select.tsx'

type Near = Analysis['near'][number]
const whole = '总分'
const [least_line, most_line, usual_band] = [0, 3000, 10] as const

/** 分析: figures, histogram, box plots, class × subject, 一分一段, 临界生, slope of progress; each with its table and picture (chapter 55 §5). */
export function AnalysisTab({ exam }: { exam: ExamRow }): ReactNode {
  const [grade = exam.grades[0] ?? '', choose] = useState<string>()
  const [paper_id, pick] = useState<string>()
  const [compare_id, compare] = useState<string>()
  const [line, draw] = useState<number>()
  const [band, widen] = useState<number>(usual_band)
  const asked = { exam_id: exam.exam_id, grade, band, ...(paper_id === undefined ? {} : { paper_id }), ...(compare_id === undefined ? {} : { compare_id }), ...(line === undefined ? {} : { line }) }
  const query = useCall(resultApi.analysis, asked, { keep: true })
  const papers = [{ value: whole, label: whole }, ...(query.data?.papers ?? []).map(one => ({ value: one.paper_id, label: dictionaryName('SUBJECT', one.subject) }))]
  return (
    <>
      <div className="exam-head">
        {exam.grades.length > 1 && <Select className="exam-short" aria-label="年级" value={grade} onChange={value => { choose(value); pick(undefined) }} options={exam.grades.map(value => ({ value, label: dictionaryName('GRADE', value) }))} />}
        <Segmented options={papers} value={paper_id ?? whole} onChange={value => pick(value === whole ? undefined : value)} />
        <CompareSelect exam={exam} value={compare_id} onChange={compare} />
        <InputNumber className="exam-short" aria-label="分数线" placeholder="分数线" min={least_line} max={most_line} value={line} onChange={value => draw(value ?? undefined)} />
        <InputNumber className="exam-short" aria-label="上下浮动" prefix="±" min={0} max={100} value={band} onChange={value => widen(value ?? usual_band)} />
      </div>
      <Loaded query={query} rows={12}>{data => <Pictures data={data} />}</Loaded>
    </>
  )
}

function Pictures({ data }: { data: Analysis }): ReactNode {
  const { figures, bins, boxes, heat, segments, trend, near } = data
  const subjects = heat.subjects.map(code => dictionaryName('SUBJECT', code))
  return (
    <div className="exam-panel">
      <p>满分 {data.full}，参加统计 {figures[0]?.n ?? 0}人，缺考或不全 {data.absent}人 {data.difficulty !== null && <Tag>难度 {data.difficulty}</Tag>}{data.discrimination !== null && <Tag>区分度 {data.discrimination}</Tag>}</p>
      <FigureTable figures={figures} />
      <div className="exam-charts">
        <Chart title="分数分布" data={{ kind: 'bar', categories: bins.map(one => one.name), series: [{ name: '人数', values: bins.map(one => one.n) }], unit: '人' }} />
        <Chart title="各班箱线图" data={{ kind: 'box', categories: boxes.map(one => one.name), boxes: boxes.map(one => one.box), unit: '分' }} />
        <Chart title="班级与科目（标准分T）" data={{ kind: 'heatmap', columns: subjects, rows: heat.classes, values: heat.values }} height={Math.max(280, heat.classes.length * 28 + 64)} />
        <Chart title="一分一段" data={{ kind: 'line', categories: segments.map(one => String(one.score)), series: [{ name: '本分人数', values: segments.map(one => one.n) }, { name: '累计人数', values: segments.map(one => one.above) }], unit: '人' }} />
        {trend.length > 0 && <Chart title="与对比考试的年级百分位" data={{ kind: 'bar', categories: trend.map(one => one.name), series: [{ name: '对比考试', values: trend.map(one => one.before) }, { name: '本次', values: trend.map(one => one.after) }], unit: '%' }} />}
      </div>
      <p className="exam-define">平均分、比率按实考人数；标准差为总体标准差；难度＝平均分÷满分；区分度＝（前27%平均－后27%平均）÷满分；T＝50＋10×（班均－年级均）÷标准差；超均率＝（班均－年级均）÷年级均；少于5人的班只有教务处可见。</p>
      {near.length > 0 && <NearTable near={near} />}
    </div>
  )
}

function FigureTable({ figures }: { figures: readonly Figures[] }): ReactNode {
  const column = (key: Exclude<keyof Figures, 'name' | 'dept_id'>, title: string) => ({ key, title, width: 80, align: 'right' as const, render: (_: unknown, row: Figures) => <span className="kit-number">{row[key] ?? '—'}</span> })
  const columns = [
    { key: 'name', title: '班级', width: 120, fixed: 'left' as const, dataIndex: 'name' },
    column('n', '人数'), column('mean', '平均分'), column('over', '超均率%'), column('median', '中位数'), column('sd', '标准差'), column('max', '最高'), column('min', '最低'), column('excellent', '优秀率%'), column('good', '良好率%'), column('pass', '及格率%'), column('low', '低分率%'),
  ]
  return <Table<Figures> size="small" rowKey="name" columns={columns} dataSource={[...figures]} pagination={false} scroll={{ x: 1000 }} />
}

function NearTable({ near }: { near: readonly Near[] }): ReactNode {
  const columns = [
    { key: 'name', title: '临界生', width: 104, dataIndex: 'user_name' },
    { key: 'class', title: '班级', width: 144, dataIndex: 'dept_name' },
    { key: 'score', title: '分数', width: 80, align: 'right' as const, dataIndex: 'score' },
    { key: 'gap', title: '距分数线', align: 'left' as const, render: (_: unknown, row: Near) => <span className={row.gap < 0 ? 'kit-bad' : undefined}>{row.gap > 0 && '+'}{row.gap}</span> },
  ]
  return <Table<Near> size="small" rowKey="user_id" columns={columns} dataSource={[...near]} pagination={{ pageSize: 20, showSizeChanger: false }} />
}
