import { Alert, Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { reader_states } from './reader-words.ts'
import type { ReaderState } from './reader-words.ts'
import type { Reader } from './use-reader.ts'

const colors: Readonly<Record<ReaderState, string>> = { off: 'default', connected: 'blue', waiting: 'blue', read: 'green', error: 'red' }

/** The reader of this workstation: how it is, what to do, on and off. */
export function ReaderBar({ reader, name }: { reader: Reader; name: string | null }): ReactNode {
  const { state, sentence, is_on, turn, reload } = reader
  return (
    <section className="reader-bar" aria-label="读卡器">
      <Button type={is_on ? 'default' : 'primary'} disabled={name === null} onClick={() => turn(!is_on)}>{is_on ? '停止读卡' : '开始读卡'}</Button>
      <Tag color={colors[state]}><span role="status">{reader_states[state]}</span></Tag>
      <span className="device-hint">{name === null ? '请先选择本机所在的读卡点' : name}</span>
      {sentence !== null && <Alert className="reader-sentence" type={state === 'error' ? 'error' : 'info'} showIcon title={sentence} action={reload && <Button size="small" onClick={reload}>刷新页面</Button>} />}
    </section>
  )
}
