import { day_kinds, day_sections, order_modes, playRuleApi } from '@campus/publishing/contract'
import type { DayPart, PlayRule, PlayRuleDraft } from '@campus/publishing/contract'
import { AppModal, call, Can, leaving, PageFrame, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input, InputNumber, Radio, Select, Switch, Table, TimePicker } from 'antd'
import type { TableColumnType } from 'antd'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import '../publishing.css'
import './board.css'

const kinds: Readonly<Record<string, string>> = day_kinds
const orders: Readonly<Record<string, string>> = order_modes
const weekday_options = ['一', '二', '三', '四', '五', '六', '日'].map((name, at) => ({ value: at + 1, label: `周${name}` }))
const section_options = Object.entries(day_sections).map(([value, label]) => ({ value, label }))
/** About when the parts of a day are, for the picture alone: boards go by the bell of their class. */
const usual_spans: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  lesson: [
    [8, 12],
    [14, 17],
  ],
  break: [
    [8.7, 8.9],
    [9.6, 10],
    [10.7, 10.9],
    [14.7, 14.9],
    [15.6, 15.8],
  ],
  noon: [[12, 14]],
  after: [[17, 22]],
  before: [[6, 8]],
}
const custom_days = 4

/** 播放规则设置: when contents are played, as bars of the day (chapter 60 §5). */
export default function Rules(): ReactNode {
  const query = useCall(playRuleApi.list, { page_size: 300 })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([playRuleApi.list])
  const edit = (rule: PlayRule | null) => open(<RuleDialog rule={rule} onClose={close} />)
  const enable = (rule: PlayRule, enabled: boolean) =>
    act(() => call(playRuleApi.enable, { id: rule.id, enabled }, { quiet: true }), {
      ask: enabled || rule.in_use === 0 ? false : { title: `停用“${rule.name}”？`, touches: `${rule.in_use}条内容将停止播放`, ok: '停用' },
      done: ({ stopped }) => (stopped.length === 0 ? '已保存' : `已停用，停止播放：${stopped.join('、')}`),
    })
  const remove = (rule: PlayRule) =>
    act(() => call(playRuleApi.remove, { id: rule.id }, { quiet: true }), {
      ask: { title: `删除播放规则“${rule.name}”？`, ok: '删除' },
      done: '已删除',
    })
  const columns: TableColumnType<PlayRule>[] = [
    { title: '规则', dataIndex: 'name', width: 140 },
    { title: '日期', key: 'days', width: 120, render: (_value, rule) => daysText(rule) },
    { title: '时段（0–24点）', key: 'bars', render: (_value, rule) => <DayBar dayparts={rule.dayparts} /> },
    { title: '顺序', key: 'order', width: 130, render: (_value, rule) => `${orders[String(rule.order_mode)]} 每项${rule.item_seconds}秒` },
    { title: '使用', key: 'in_use', width: 72, render: (_value, rule) => `${rule.in_use}条` },
    {
      title: '启用',
      key: 'enabled',
      width: 72,
      render: (_value, rule) => (
        <Can code={playRuleApi.enable}>
          <Switch size="small" aria-label={`启用 ${rule.name}`} checked={rule.enabled} onChange={is_on => void enable(rule, is_on)} />
        </Can>
      ),
    },
    {
      title: '操作',
      key: 'acts',
      width: 120,
      render: (_value, rule) => (
        <Can code={playRuleApi.update}>
          <Button type="link" size="small" aria-label={`编辑 ${rule.name}`} onClick={() => edit(rule)}>
            编辑
          </Button>
          <Button type="link" size="small" danger aria-label={`删除 ${rule.name}`} onClick={() => void remove(rule)}>
            删除
          </Button>
        </Can>
      ),
    },
  ]
  return (
    <PageFrame
      help="没有规则的内容全天播放；按课间、上课选择的时段以班牌所在班级的作息和校历为准"
      ready={query.data ? 'page' : query.error ? 'failed' : undefined}
      actions={
        <Can code={playRuleApi.add}>
          <Button type="primary" onClick={() => edit(null)}>
            新建规则
          </Button>
        </Can>
      }
    >
      <Loaded query={query}>
        {({ list }) => (
          <Table<PlayRule>
            rowKey="id"
            size="small"
            pagination={false}
            columns={columns}
            dataSource={list}
            locale={{ emptyText: '还没有播放规则：点“新建规则”设置播放的日期和时段' }}
          />
        )}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

function daysText({ day_kind, weekdays }: PlayRule): string {
  return day_kind === custom_days
    ? weekdays
        .toSorted((a, b) => a - b)
        .map(day => weekday_options[day - 1]?.label ?? '')
        .join('、')
    : (kinds[String(day_kind)] ?? '')
}

const hourOf = (clock: string) => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60

/** When a rule plays, as bars over the hours of a day. */
function DayBar({ dayparts }: { dayparts: readonly DayPart[] }): ReactNode {
  const spans =
    dayparts.length === 0
      ? [{ name: '全天', from: 0, to: 24 }]
      : dayparts.flatMap(part =>
          'section' in part
            ? (usual_spans[part.section] ?? []).map(([from, to]) => ({ name: day_sections[part.section], from, to }))
            : [{ name: `${part.from}–${part.to}`, from: hourOf(part.from), to: hourOf(part.to) }],
        )
  const text = spans
    .map(span => span.name)
    .filter((name, at, all) => all.indexOf(name) === at)
    .join('、')
  return (
    <div>
      <div className="brd-track" data-parts="24" role="img" aria-label={text}>
        {spans.map(({ name, from, to }) => (
          <div
            key={`${name} ${from}`}
            className="brd-bar"
            style={{ left: `${(from / 24) * 100}%`, width: `${((to - from) / 24) * 100}%` }}
          />
        ))}
      </div>
      <span className="brd-quiet">{text}</span>
    </div>
  )
}

type Values = Omit<PlayRuleDraft, 'dayparts'> & { sections: string[]; spans: { span: [dayjs.Dayjs, dayjs.Dayjs] | null }[] }
const isSection = (value: string): value is keyof typeof day_sections => value in day_sections
const spanOf = ({ from, to }: { from: string; to: string }): Values['spans'][number] => ({ span: [timeOf(from), timeOf(to)] })
const timeOf = (clock: string) => dayjs(`2026-01-01T${clock === '24:00' ? '23:59' : clock}`)

function partsOf({ sections, spans }: Pick<Values, 'sections' | 'spans'>): DayPart[] {
  return [
    ...sections.filter(isSection).map(section => ({ section })),
    ...(spans ?? []).flatMap(line => (line?.span ? [{ from: line.span[0].format('HH:mm'), to: line.span[1].format('HH:mm') }] : [])),
  ]
}

function RuleDialog({ rule, onClose }: { rule: PlayRule | null; onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'publishing.ruleNameTaken': 'name', 'publishing.ruleDayMissing': 'weekdays' })
  const parts = rule?.dayparts ?? []
  const first: Values = {
    name: rule?.name ?? '',
    day_kind: rule?.day_kind ?? 1,
    weekdays: rule?.weekdays ?? [],
    order_mode: rule?.order_mode ?? 1,
    item_seconds: rule?.item_seconds ?? 10,
    mute_in_lesson: rule?.mute_in_lesson ?? true,
    sections: parts.flatMap(part => ('section' in part ? [part.section] : [])),
    spans: parts.flatMap(part => ('from' in part ? [spanOf(part)] : [])),
  }
  const shown = Form.useWatch([], form) ?? first
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { sections: _sections, spans: _spans, ...more } = values
    const draft = { ...more, weekdays: values.weekdays ?? [], dayparts: partsOf(values) }
    if (
      !(await run(
        () =>
          rule === null
            ? call(playRuleApi.add, draft, { quiet: true })
            : call(playRuleApi.update, { ...draft, id: rule.id, row_version: rule.row_version }, { quiet: true }),
        '已保存',
      ))
    )
      return
    await client.invalidateQueries({ queryKey: [playRuleApi.list.call] })
    onClose()
  }
  return (
    <AppModal
      open
      width={640}
      title={rule === null ? '新建播放规则' : '编辑播放规则'}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="play-rule" layout="vertical" initialValues={first}>
        <Form.Item name="name" label="规则名称" rules={[{ required: true, whitespace: true, message: '请填写规则名称' }]}>
          <Input maxLength={30} showCount />
        </Form.Item>
        <Form.Item name="day_kind" label="日期">
          <Radio.Group options={Object.entries(day_kinds).map(([value, label]) => ({ value: Number(value), label }))} />
        </Form.Item>
        {shown.day_kind === custom_days && (
          <Form.Item name="weekdays" label="星期" rules={[{ required: true, message: '请选择星期' }]}>
            <Checkbox.Group options={weekday_options} />
          </Form.Item>
        )}
        <Form.Item name="sections" label="按作息的时段（不选且没有钟点时为全天）">
          <Checkbox.Group options={section_options} />
        </Form.Item>
        <Form.List name="spans">
          {(lines, { add, remove }) => (
            <div className="pub-fields">
              {lines.map(line => (
                <div className="brd-line" key={line.key}>
                  <Form.Item noStyle name={[line.name, 'span']}>
                    <TimePicker.RangePicker format="HH:mm" order={false} />
                  </Form.Item>
                  <Button size="small" onClick={() => remove(line.name)}>
                    移除
                  </Button>
                </div>
              ))}
              <div>
                <Button size="small" onClick={() => add({ span: null })}>
                  添加钟点时段
                </Button>
              </div>
            </div>
          )}
        </Form.List>
        <DayBar dayparts={partsOf({ sections: shown.sections ?? [], spans: shown.spans ?? [] })} />
        <Form.Item name="order_mode" label="多条内容的顺序">
          <Select options={Object.entries(order_modes).map(([value, label]) => ({ value: Number(value), label }))} />
        </Form.Item>
        <Form.Item name="item_seconds" label="每项时长（秒）" rules={[{ required: true, message: '请填写每项时长' }]}>
          <InputNumber min={3} max={600} precision={0} />
        </Form.Item>
        <Form.Item name="mute_in_lesson" valuePropName="checked">
          <Checkbox>上课时静音</Checkbox>
        </Form.Item>
      </Form>
    </AppModal>
  )
}
