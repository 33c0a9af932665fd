import { count_modes, countdown_states, countdown_styles, countdownApi, countdownList } from '@campus/publishing/contract'
import type { CountdownDraft, CountdownRow } from '@campus/publishing/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, schoolToday, Table, useResourceList, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Alert, Button, DatePicker, Form, Input, Radio, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import '../publishing.css'
import './board.css'
import { PlacingFields } from './content-dialog.tsx'
import { plainTargets } from './target-field.tsx'

const tags = { 1: 'green', 2: 'blue', 3: 'default' } as const
const fields = fieldsOf(countdownList, {
  title: { default_action: true },
  state: { cell: row => <Tag color={tags[row.state]}>{countdown_states[row.state]}</Tag> },
})
const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))

/** 倒计时设置: days to a day, shown on boards by themselves (chapter 60 §5). */
export default function Countdowns(): ReactNode {
  const list = useResourceList(countdownApi.list, fields)
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => void list.refresh())
  const edit = (row: CountdownRow | null) => open(<CountdownDialog row={row} onClose={close} onDone={() => void list.refresh()} />)
  const remove = (row: CountdownRow) =>
    act(() => call(countdownApi.remove, { id: row.id }, { quiet: true }), {
      ask: { title: `删除倒计时“${row.title}”？`, touches: '班牌收到后停播，离线班牌恢复连接后停播', ok: '删除' },
      done: '已删除，停播以班牌回执为准',
    })
  const acts = (row: CountdownRow) =>
    row.state !== '3' && (
      <Can code={countdownApi.update}>
        <Button type="link" size="small" aria-label={`编辑 ${row.title}`} onClick={() => edit(row)}>
          编辑
        </Button>
        <Button type="link" size="small" danger aria-label={`删除 ${row.title}`} onClick={() => void remove(row)}>
          删除
        </Button>
      </Can>
    )
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'state']} />}
      actions={
        <Can code={countdownApi.add}>
          <Button type="primary" onClick={() => edit(null)}>
            新建倒计时
          </Button>
        </Can>
      }
    >
      <Table
        of={list}
        show={['title', 'target_on', 'days', 'count_mode', 'style', 'show', 'targets', 'state', 'playing']}
        row={acts}
        row_width={120}
        empty="还没有倒计时：点“新建倒计时”填写目标日期和播放位置"
      />
      {dialog}
    </ListPage>
  )
}

type Values = Omit<CountdownDraft, 'target_on' | 'show_from' | 'show_until'> & {
  target_on: Dayjs
  show: [Dayjs | null, Dayjs | null] | null
}
const dayText = (day: Dayjs | null | undefined) => day?.format('YYYY-MM-DD') ?? null

function CountdownDialog({ row, onClose, onDone }: { row: CountdownRow | null; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, {
    'publishing.countdownPast': 'target_on',
    'publishing.countdownDates': 'show',
    'publishing.boardOutOfScope': 'targets',
  })
  const shown = Form.useWatch([], form)
  const first: Partial<Values> =
    row === null
      ? { title: '', count_mode: 1, style: 1, done_text: '', zone: 'countdown', priority: 5, rule_id: null, targets: [], show: null }
      : {
          title: row.title,
          target_on: dayjs(row.target_on),
          count_mode: row.count_mode,
          style: row.style,
          done_text: row.done_text,
          zone: row.zone,
          priority: row.priority,
          rule_id: row.rule_id,
          targets: plainTargets(row.targets),
          show: [dayjs(row.show_from), dayjs(row.show_until)],
        }
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { show, target_on, rule_id = null, ...more } = values
    const draft = {
      ...more,
      rule_id: rule_id ?? null,
      target_on: dayText(target_on) ?? '',
      show_from: dayText(show?.[0]),
      show_until: dayText(show?.[1]),
    }
    if (
      !(await run(
        () =>
          row === null
            ? call(countdownApi.add, draft, { quiet: true })
            : call(countdownApi.update, { ...draft, id: row.id, row_version: row.row_version }, { quiet: true }),
        '已保存，播放以班牌回执为准',
      ))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={680}
      title={row === null ? '新建倒计时' : '编辑倒计时'}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="countdown" layout="vertical" className="pub-editor-fields" initialValues={first}>
        <Form.Item name="title" label="标题" rules={[{ required: true, whitespace: true, message: '请填写标题' }]}>
          <Input maxLength={20} showCount />
        </Form.Item>
        <Form.Item name="target_on" label="目标日期" rules={[{ required: true, message: '请选择目标日期' }]}>
          <DatePicker disabledDate={day => dayText(day) !== null && (dayText(day) ?? '') < schoolToday()} />
        </Form.Item>
        <Form.Item name="count_mode" label="计数">
          <Radio.Group options={options(count_modes)} />
        </Form.Item>
        <Form.Item name="style" label="样式">
          <Radio.Group options={options(countdown_styles)} />
        </Form.Item>
        <Form.Item name="done_text" label="到期文字">
          <Input maxLength={20} placeholder="今天" />
        </Form.Item>
        <Form.Item name="show" label="显示日期（不填为今天到目标次日）">
          <DatePicker.RangePicker allowEmpty={[true, true]} />
        </Form.Item>
        <PlacingFields />
        <div className="pub-wide">
          <Flip title={shown?.title ?? row?.title ?? ''} target={dayText(shown?.target_on)} done_text={shown?.done_text ?? ''} />
        </div>
      </Form>
    </AppModal>
  )
}

/** What the board will show today, by natural days. */
function Flip({ title, target, done_text }: { title: string; target: string | null; done_text: string }): ReactNode {
  if (target === null) return null
  const left = Math.max(0, dayjs(target).diff(dayjs(schoolToday()), 'day'))
  return (
    <div className="brd-flip" aria-label="预览">
      <span>{title === '' ? '目标' : `距${title}`}</span>
      {left === 0 ? <b>{done_text || '今天'}</b> : [...String(left)].map((sign, at) => <b key={`${at} ${sign}`}>{sign}</b>)}
      <span>{left === 0 ? '' : '天'}</span>
    </div>
  )
}
