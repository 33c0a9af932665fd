import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject, SyntheticEvent } from 'react'
import { usePage } from '../page/page-context.ts'
import type { Field } from './fields.ts'
import type { FilterControl, FilterPatch, FilterProps } from './filter-control.ts'
import { controlOf } from './filter-texts.ts'
import { SavedFilterMenu } from './saved-filter-menu.tsx'
import type { ResourceList } from './use-resource-list.ts'
import { useSize } from './use-size.ts'

const FOLDED = 50

/** The search bar: 查询 (reads again when nothing was changed), 重置 and, when it has more than one row, 收起/展开. Enter queries, `/` focuses the first field. */
export function Filters<Row, Name extends string>({ of, show }: { of: ResourceList<Row, Name>; show: readonly Name[] }): ReactNode {
  const [draft, setDraft] = useState<FilterPatch>({})
  const [open, setOpen] = useState(false)
  const [grid, { height }] = useSize()
  const bar = useRef<HTMLFormElement>(null)
  useSlashFocus(bar)
  const names = show.join(',')
  const controls = useMemo(() => controlsOf(of.fields.of, names), [of.fields, names])
  const values = definedOf({ ...of.values, ...draft })
  const query = (event: SyntheticEvent) => {
    event.preventDefault()
    if (Object.entries(draft).some(([name, value]) => (value ?? '') !== (of.values[name] ?? ''))) of.filterBy(draft)
    else void of.refresh()
    setDraft({})
  }
  const reset = () => {
    of.filterBy(Object.fromEntries(controls.flatMap(({ control }) => control.names.map((name) => [name, undefined]))))
    setDraft({})
  }
  const tall = height > FOLDED
  useUnreachable(grid, tall && !open)
  return (
    <form className="kit-filters" role="search" ref={bar} onSubmit={query}>
      <div className="kit-filters-fold" style={{ height: open || !tall ? undefined : FOLDED }}>
        <div className="kit-filters-grid" ref={grid}>
          {controls.map(({ name, label, control }) => (
            <div className="kit-filter" key={name}>
              <label htmlFor={`${of.home}-${name}`}>{label}</label>
              <Slot control={control} id={`${of.home}-${name}`} values={values} change={(patch) => setDraft((before) => ({ ...before, ...patch }))} />
            </div>
          ))}
        </div>
      </div>
      <div className="kit-filters-buttons">
        <Button type="primary" htmlType="submit">查询</Button>
        <Button onClick={reset}>重置</Button>
        <SavedFilterMenu of={of} names={controls.flatMap(({ control }) => control.names)} />
        {tall && (
          <Button type="link" icon={open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />} iconPlacement="end" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '收起' : '展开'}
          </Button>
        )}
      </div>
    </form>
  )
}

type Item = { name: string; label: string; control: FilterControl }

/** Fields are made anew whenever what they offer arrives or changes; as components of their own the inputs would then lose the focus, and the Enter of whoever types on. */
function Slot({ control: { Input }, ...props }: FilterProps & { control: FilterControl }): ReactNode {
  return Input(props)
}

function controlsOf<Row>(fields: Record<string, Field<Row>>, names: string): Item[] {
  return names.split(',').flatMap((name) => {
    const field = fields[name]
    const control = field ? controlOf(name, field) : undefined
    return field && control ? [{ name, label: field.label, control }] : []
  })
}

// What the fold hides must not take the focus.
function useUnreachable(grid: RefObject<HTMLDivElement | null>, folded: boolean): void {
  useEffect(() => {
    for (const child of grid.current?.children ?? []) {
      if (child instanceof HTMLElement) child.toggleAttribute('inert', folded && child.offsetTop >= FOLDED)
    }
  })
}

function useSlashFocus(bar: RefObject<HTMLFormElement | null>): void {
  const { active } = usePage()
  useEffect(() => {
    if (!active) return
    const focus = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
      event.preventDefault()
      bar.current?.querySelector('input')?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => window.removeEventListener('keydown', focus)
  }, [active, bar])
}

function definedOf(values: FilterPatch): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
