import { checkPrefix } from '@campus/identity/contract'
import { ruleOf } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { DatePicker, Form, Input, InputNumber, Radio } from 'antd'
import type { FormRule } from 'antd'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { schemaOf } from './rule-words.ts'
import type { Line, RuleValues } from './rule-words.ts'

const MOMENT = 'YYYY-MM-DD HH:mm'
// The wall clock of the school as text: the browser's zone has no say in it.
const as_moment = { getValueProps: (text?: string) => ({ value: text ? dayjs(text) : null }), normalize: (moment: dayjs.Dayjs | null) => moment?.format(MOMENT) }

/** One setting with what it does; a changed one is marked. */
export function RuleLine({ line, values, is_changed, disabled }: { line: Line; values: RuleValues; is_changed: boolean; disabled: boolean }): ReactNode {
  const { key, label, effect, input } = line
  const rules = input === 'prefix' ? [ruleOf(schemaOf(key)), prefix_rule] : [ruleOf(schemaOf(key))]
  return (
    <div className="pwd-line" data-changed={is_changed}>
      <Form.Item name={key} label={label} extra={typeof effect === 'string' ? effect : effect(values)} dependencies={input === 'prefix' ? ['default_rule'] : []} rules={rules} {...(input === 'moment' ? as_moment : {})}>
        {inputOf(line, disabled)}
      </Form.Item>
    </div>
  )
}

// Whether a prefix is needed depends on the rule above it.
const prefix_rule: FormRule = ({ getFieldsValue }) => ({
  validator: () => {
    const msg = checkPrefix(getFieldsValue())
    return msg === null ? Promise.resolve() : Promise.reject(new Error(msg))
  },
})

function inputOf({ key, input }: Line, disabled: boolean): ReactNode {
  if (input === 'prefix') return <Input className="pwd-short" maxLength={8} allowClear autoComplete="off" disabled={disabled} />
  if (input === 'moment') return <DatePicker className="pwd-moment" showTime={{ format: 'HH:mm' }} format={MOMENT} allowClear={false} disabled={disabled} />
  if (input === 'notice') return <Input.TextArea className="pwd-notice" rows={4} maxLength={500} showCount disabled={disabled} />
  if ('unit' in input) return <InputNumber className="pwd-number" suffix={input.unit} precision={0} parser={readNumber} disabled={disabled} aria-valuemin={input.min} aria-valuemax={input.max} />
  return <Radio.Group name={key} options={input.map(({ value, label }) => ({ value, label }))} disabled={disabled} />
}
