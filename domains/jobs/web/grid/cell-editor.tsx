import { Input, Select } from 'antd'
import type { InputRef, RefSelectProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { GridColumn } from './grid-columns.ts'

const MAX_LENGTH = 1000

type Props = { column: GridColumn; text: string; is_saved: boolean; save: (text: string, onward: boolean) => void; cancel: () => void }

/** Edits one cell in place: Enter saves and goes on, Esc leaves it as it was, leaving the field saves. Esc does not close the wizard. A text that was not saved is sent again by Enter. */
export function CellEditor(props: Props): ReactNode {
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    props.cancel()
  }
  return <div onKeyDownCapture={keys}>{props.column.options ? <ChoiceEditor {...props} options={props.column.options} /> : <TextEditor {...props} />}</div>
}

function TextEditor({ column, text, is_saved, save, cancel }: Props): ReactNode {
  const [value, setValue] = useState(text)
  const done = useRef(false)
  const field = useRef<InputRef>(null)
  useEffect(() => field.current?.focus({ cursor: 'all' }), [])
  // Leaving the field follows Enter, too: only the first of them counts.
  const finish = (onward: boolean) => {
    if (done.current) return
    done.current = true
    if (value === text && (is_saved || !onward)) cancel()
    else save(value, onward)
  }
  return (
    <Input
      ref={field}
      size="small"
      aria-label={column.label}
      maxLength={MAX_LENGTH}
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onPressEnter={(event) => {
        if (!event.nativeEvent.isComposing) finish(true)
      }}
      onBlur={() => finish(false)}
    />
  )
}

function ChoiceEditor({ column, text, save, cancel, options }: Props & { options: readonly string[] }): ReactNode {
  const field = useRef<RefSelectProps>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    field.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Select
      ref={field}
      open={open}
      onOpenChange={setOpen}
      size="small"
      className="kit-fill"
      aria-label={column.label}
      showSearch
      allowClear={!column.required}
      placeholder={text === '' ? '请选择' : text}
      popupMatchSelectWidth={false}
      defaultValue={options.includes(text) ? text : undefined}
      options={options.map((option) => ({ value: option, label: option }))}
      onSelect={(value: string) => save(value, true)}
      onClear={() => save('', true)}
      onBlur={cancel}
    />
  )
}
