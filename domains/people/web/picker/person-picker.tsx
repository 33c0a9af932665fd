import { pickerApi } from '@campus/people/contract'
import { call, useCan, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type PickerSource = keyof typeof pickerApi
/** Somebody whom the form knows already: shown by name before anything is looked for. */
type KnownPerson = { user_id: string; user_name: string }
type Option = { value: string; label: string; about: string }
type Shared = { id?: string; /** pupils, staff or both */ of: readonly PickerSource[]; known?: readonly KnownPerson[]; label?: string; placeholder?: string | undefined }
type OneProps = Shared & { value?: string | null; onChange?: (user_id: string | undefined, user_name: string) => void }
type ManyProps = Shared & { value?: readonly string[]; onChange?: (user_ids: string[]) => void; /** no more than so many */ max?: number }

const kept_ms = 60_000
const usual_max = 200
const none_known: readonly KnownPerson[] = []

/**
 * Chooses one person at school or at work today by name, pinyin or number, within the row scope of the identity (chapter 20 §4); number and class tell
 * namesakes apart.
 */
export function PersonPicker({ value, onChange, ...shared }: OneProps): ReactNode {
  const { remember, ...select } = usePicker(shared, value === undefined || value === null ? [] : [value])
  const choose = (user_id: string | undefined, option: Option | Option[] | undefined) => {
    remember()
    onChange?.(user_id, [option].flat()[0]?.label ?? '')
  }
  return <Select<string, Option> {...select} allowClear value={value ?? undefined} onChange={choose} />
}

/** The same for several people; who is chosen keeps his name while others are looked for. */
export function PeoplePicker({ value = [], onChange, max = usual_max, ...shared }: ManyProps): ReactNode {
  const { remember, ...select } = usePicker(shared, value)
  const choose = (user_ids: string[]) => {
    remember()
    onChange?.(user_ids)
  }
  return <Select<string[], Option> {...select} mode="multiple" allowClear maxCount={max} value={[...value]} onChange={choose} />
}

function usePicker({ id, of, known = none_known, label, placeholder = '输入姓名、拼音或编号查找' }: Shared, chosen: readonly string[]) {
  const may = { student: useCan(pickerApi.student), teacher: useCan(pickerApi.teacher) }
  const sources = of.filter(source => may[source])
  const [text, setText] = useState('')
  const [is_open, setOpen] = useState(false)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const keyword = useSettled(text)
  const { data = [], isFetching, isError, refetch } = useQuery({
    queryKey: ['people.picker', ...sources, keyword],
    queryFn: async ({ signal }) => (await Promise.all(sources.map(source => call(pickerApi[source], { keyword }, { quiet: true, signal })))).flatMap(({ list }) => list),
    enabled: is_open && sources.length > 0,
    staleTime: kept_ms,
  })
  const found = data.map(({ user_id, user_name, user_no, label: of_class }) => ({ value: user_id, label: user_name, about: [user_no, of_class].filter(Boolean).join(' · ') }))
  const all_names = new Map([...known.map(person => [person.user_id, person.user_name] as const), ...names])
  const kept = chosen.filter(user_id => found.every(option => option.value !== user_id)).map(user_id => ({ value: user_id, label: all_names.get(user_id) ?? user_id, about: '' }))
  return {
    remember: () => setNames(new Map([...names, ...found.map(option => [option.value, option.label] as const)])),
    id,
    'aria-label': label,
    className: 'kit-fill',
    disabled: sources.length === 0,
    loading: isFetching,
    options: [...kept, ...found],
    optionRender: drawOption,
    placeholder: sources.length === 0 ? '没有选择人员的权限' : placeholder,
    showSearch: { filterOption: false, onSearch: setText } as const,
    notFoundContent: <span className="person-about">{isFetching ? '正在查找…' : isError ? '查找失败，重新输入或再次展开可重试' : '没有找到人员'}</span>,
    onOpenChange: (open: boolean) => {
      setOpen(open)
      if (open && isError) void refetch()
    },
  }
}

function drawOption({ label, data }: { label?: ReactNode; data: Option }): ReactNode {
  return <span className="person-option">{label} <small className="person-about">{data.about}</small></span>
}
