import { CalendarOutlined } from '@ant-design/icons'
import { Select } from 'antd'
import Input from 'antd/es/input/Input'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { dictionaryName, useDictionary } from '../session/dictionary.ts'
import type { FilterControl, FilterProps } from './filter-control.ts'

const DayInput = lazy(() => import('./day-controls.tsx').then((part) => ({ default: part.DayInput })))
const DaysInput = lazy(() => import('./day-controls.tsx').then((part) => ({ default: part.DaysInput })))

type Options = readonly { value: string; label: string }[]

/** Free text. */
export function textFilter(name: string, placeholder = '请输入'): FilterControl {
  return {
    names: [name],
    text: (values) => values[name],
    Input: ({ id, values, change }) => (
      <Input id={id} allowClear maxLength={50} placeholder={placeholder} value={values[name] ?? ''} onChange={(event) => change({ [name]: event.target.value || undefined })} />
    ),
  }
}

/** One of a few values. */
export function selectFilter(name: string, options: Options): FilterControl {
  return {
    names: [name],
    text: (values) => options.find((option) => option.value === values[name])?.label,
    Input: (props) => <Choice {...props} name={name} options={options} />,
  }
}

/** One code of a dictionary. */
export function dictionaryFilter(name: string, sc_code_type: string): FilterControl {
  return {
    names: [name],
    text: (values) => (values[name] ? dictionaryName(sc_code_type, values[name]) : undefined),
    Input: (props) => <Choice {...props} name={name} options={useDictionary(sc_code_type)} />,
  }
}

/** A day. */
export function dayFilter(name: string): FilterControl {
  return {
    names: [name],
    text: (values) => values[name],
    Input: (props) => (
      <WhenTouched id={props.id} text={props.values[name]}>
        <DayInput {...props} name={name} />
      </WhenTouched>
    ),
  }
}

/** Days from – to, both included, under two query names. */
export function daysFilter(from: string, to: string): FilterControl {
  return {
    names: [from, to],
    text: (values) => (values[from] && values[to] ? `${values[from]} ~ ${values[to]}` : undefined),
    Input: (props) => (
      <WhenTouched id={props.id} text={props.values[from] && `${props.values[from]} ~ ${props.values[to] ?? ''}`}>
        <DaysInput {...props} from={from} to={to} />
      </WhenTouched>
    ),
  }
}

/** The date picker weighs 32 KiB: until its field is entered, a plain one with the same look stands there. */
function WhenTouched({ id, text, children }: { id: string; text: string | undefined; children: ReactNode }): ReactNode {
  const [touched, setTouched] = useState(false)
  const plain = <Input id={id} readOnly value={text ?? ''} placeholder="请选择日期" suffix={<CalendarOutlined />} onFocus={() => setTouched(true)} />
  return touched ? <Suspense fallback={plain}>{children}</Suspense> : plain
}

function Choice({ id, values, change, name, options }: FilterProps & { name: string; options: Options }): ReactNode {
  return (
    <Select
      id={id}
      className="kit-fill"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="全部"
      options={[...options]}
      value={values[name]}
      onChange={(value: string | undefined) => change({ [name]: value })}
    />
  )
}
