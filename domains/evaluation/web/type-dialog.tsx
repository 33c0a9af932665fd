import {
  auto_names,
  decay_names,
  evidence_names,
  giver_names,
  pointsText,
  star_colours,
  star_icons,
  starTypeApi,
  subject_names,
  worthAfter,
} from '@campus/evaluation/contract'
import type { StarType } from '@campus/evaluation/contract'
import { AppModal, call, leaving, useDictionary, useSaving, validValues } from '@kit/web'
import { Chart } from '@kit/web/chart'
import type { ChartData } from '@kit/web/chart'
import { amountRule, readNumber, wholeRule } from '@kit/web/number'
import { Alert, Checkbox, Form, Input, InputNumber, Select, Switch } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { StarBadge } from './star-badge.tsx'

type Values = {
  star_name: string
  star_kind?: string
  icon: string
  colour: string
  enabled: boolean
  subject_kind: number
  sign: 1 | -1
  points: number
  times_max: number
  person_day_max: number | null
  giver_week_quota: number | null
  evidence: number
  givers: number[]
  approve: boolean
  decay: number
  half_life_days: number | null
  show_public: boolean
  auto_trigger: keyof typeof auto_names | null
  silver: number | null
  gold: number | null
}
type Props = { type: StarType | null; superior: StarType | null; onClose: () => void; onDone: () => void }
const milli = 1000
const curve_days = 120
const triggers = ['attend_week', 'homework_week'] as const
const curve_step = 10
const homes = { 'evaluation.typeNameTaken': 'star_name', 'evaluation.negativeRule': 'sign',
  'evaluation.halfLifeMissing': 'half_life_days', 'evaluation.autoRule': 'auto_trigger' }
const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const numbersOf = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))
const signs = [
  { value: 1, label: '加分' },
  { value: -1, label: '扣分' },
]

/** A dimension, or an indicator with the preview of its badge and the curve of its worth. */
export function TypeDialog({ type, superior, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const is_indicator = superior !== null
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => send(type, superior, { ...initialOf(type, superior), ...values }), '已保存'))) return
    onDone()
    onClose()
  }
  const word = is_indicator ? `${superior.star_name} · 指标` : '维度'
  return (
    <AppModal
      open
      width={is_indicator ? 880 : 480}
      title={type ? `编辑${word}` : `新增${word}`}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="star-type" layout="vertical" initialValues={initialOf(type, superior)}>
        <div className={is_indicator ? 'star-form' : undefined}>
          <div>
            <Form.Item name="star_name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}>
              <Input maxLength={12} showCount placeholder={is_indicator ? '例如：乐于助人' : '例如：品德之星'} />
            </Form.Item>
            {!is_indicator && <KindField />}
            <LookFields />
            {is_indicator && <ScoreFields />}
            <Form.Item name="enabled" label="启用" valuePropName="checked">
              <Switch />
            </Form.Item>
          </div>
          {is_indicator && (
            <div>
              <RuleFields />
              <Preview />
            </div>
          )}
        </div>
      </Form>
    </AppModal>
  )
}

function LookFields(): ReactNode {
  return (
    <div className="star-pair">
      <Form.Item name="icon" label="图标">
        <Select options={optionsOf(star_icons)} />
      </Form.Item>
      <Form.Item name="colour" label="颜色">
        <Select options={optionsOf(star_colours)} />
      </Form.Item>
    </div>
  )
}

function KindField(): ReactNode {
  return (
    <Form.Item name="star_kind" label="对应五育">
      <Select allowClear options={useDictionary('STAR_KIND')} placeholder="可不选" />
    </Form.Item>
  )
}

function ScoreFields(): ReactNode {
  return (
    <>
      <div className="star-pair">
        <Form.Item name="subject_kind" label="对象">
          <Select options={numbersOf(subject_names)} />
        </Form.Item>
        <Form.Item name="sign" label="性质">
          <Select options={signs} />
        </Form.Item>
        <Form.Item name="points" label="每次分值" rules={[{ required: true, message: '请填写分值' }, amountRule(0.1, 100)]}>
          <InputNumber parser={readNumber} step={0.5} className="kit-fill" />
        </Form.Item>
        <Form.Item name="times_max" label="单次最多" rules={[wholeRule(1, 10)]}>
          <InputNumber parser={readNumber} precision={0} className="kit-fill" suffix="次" />
        </Form.Item>
        <Form.Item name="person_day_max" label="每个对象每日上限" rules={[wholeRule(1, 50)]}>
          <InputNumber parser={readNumber} precision={0} className="kit-fill" placeholder="不限" />
        </Form.Item>
        <Form.Item name="giver_week_quota" label="每人每周可评" rules={[wholeRule(1, 1000)]}>
          <InputNumber parser={readNumber} precision={0} className="kit-fill" placeholder="不限" />
        </Form.Item>
        <Form.Item name="silver" label="银级分值" rules={[amountRule(0.1, 10_000)]}>
          <InputNumber parser={readNumber} className="kit-fill" placeholder="不设等级" />
        </Form.Item>
        <Form.Item name="gold" label="金级分值" rules={[amountRule(0.1, 10_000)]}>
          <InputNumber parser={readNumber} className="kit-fill" placeholder="不设等级" />
        </Form.Item>
      </div>
    </>
  )
}

function RuleFields(): ReactNode {
  const decay = Form.useWatch('decay')
  return (
    <>
      <Form.Item name="givers" label="评价人" extra="不选为所有有评星权限的人员">
        <Checkbox.Group options={numbersOf(giver_names)} />
      </Form.Item>
      <div className="star-pair">
        <Form.Item name="evidence" label="佐证">
          <Select options={numbersOf(evidence_names)} />
        </Form.Item>
        <Form.Item name="decay" label="衰减">
          <Select options={numbersOf(decay_names)} />
        </Form.Item>
        {decay === 1 && (
          <Form.Item name="half_life_days" label="半衰期" rules={[{ required: true, message: '请填写天数' }, wholeRule(7, 365)]}>
            <InputNumber parser={readNumber} precision={0} className="kit-fill" suffix="天" />
          </Form.Item>
        )}
      </div>
      <Form.Item name="auto_trigger" label="自动评定" extra="在周末后的凌晨按已核实的考勤、作业提交自动评定；更正或撤回作业后随之增减">
        <Select allowClear placeholder="不自动评定" options={optionsOf(auto_names)} />
      </Form.Item>
      <div className="star-pair">
        <Form.Item name="approve" label="须审核后生效" valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="show_public" label="公开展示" valuePropName="checked" extra="扣分不能公开">
          <Switch />
        </Form.Item>
      </div>
    </>
  )
}

/** The badge as it looks, and what one star is worth as days go by. */
function Preview(): ReactNode {
  const shown: Partial<Values> | undefined = Form.useWatch([])
  const { star_name = '', icon = 'star', colour = 'gold', points = 1, sign = 1, decay = 0, half_life_days = null } = shown ?? {}
  const data = useMemo((): ChartData => {
    const days = Array.from({ length: curve_days / curve_step + 1 }, (_, at) => at * curve_step)
    const worth = Math.round((points ?? 0) * milli)
    return {
      kind: 'line',
      categories: days.map(day => `${day}天`),
      series: [{ name: '剩余分值', values: days.map(day => worthAfter(worth, { decay, half_life_days }, day) / milli) }],
      unit: '分',
    }
  }, [points, decay, half_life_days])
  return (
    <section className="star-preview" aria-label="预览">
      <p>
        <StarBadge icon={icon} colour={colour} big /> <b>{star_name === '' ? '指标名称' : star_name}</b>{' '}
        {pointsText(Math.round((points ?? 0) * milli) * sign)}
      </p>
      <Chart title="分值随时间变化" data={data} height={150} />
      {decay === 2 && <p className="star-hint">学期最后一天保持全值，次日清零</p>}
    </section>
  )
}

function initialOf(type: StarType | null, superior: StarType | null): Values {
  if (type) return valuesOf(type)
  const look = { icon: superior?.icon ?? 'star', colour: superior?.colour ?? 'gold' }
  const score = {
    subject_kind: 1,
    points: 1,
    times_max: 5,
    person_day_max: null,
    giver_week_quota: 20,
    silver: null,
    gold: null,
  }
  const rules = { evidence: 0, givers: [], approve: false, decay: 0, half_life_days: null, show_public: true, auto_trigger: null }
  return { star_name: '', enabled: true, sign: 1, ...look, ...score, ...rules }
}

function valuesOf(type: StarType): Values {
  const { star_name, icon, colour, enabled, subject_kind, times_max, person_day_max, giver_week_quota } = type
  const { star_kind, evidence, givers, approve, decay, half_life_days, show_public } = type
  const look = { star_name, icon, colour, enabled, ...(star_kind === null ? {} : { star_kind }) }
  const rules = { subject_kind, times_max, person_day_max, giver_week_quota, evidence, givers, approve, decay, half_life_days, show_public }
  const auto_trigger = triggers.find(one => one === type.auto_trigger) ?? null
  const [silver = null, gold = null] = type.level_cuts.map(cut => cut / milli)
  return { ...look, ...rules, auto_trigger, sign: type.sign < 0 ? -1 : 1, points: type.step / milli, silver, gold }
}

function send(type: StarType | null, superior: StarType | null, { points, silver, gold, star_kind, ...values }: Values): Promise<unknown> {
  const level_cuts = [silver, gold].flatMap(cut => (cut === null ? [] : [Math.round(cut * milli)]))
  const draft = {
    ...values,
    star_kind: star_kind ?? null,
    auto_trigger: values.auto_trigger ?? null,
    step: Math.round(points * milli),
    level_cuts,
    half_life_days: values.decay === 1 ? values.half_life_days : null,
  }
  return type
    ? call(starTypeApi.update, { ...draft, id: type.id, row_version: type.row_version }, { quiet: true })
    : call(starTypeApi.add, { ...draft, superior_id: superior?.id ?? null }, { quiet: true })
}
