import { settingFault } from '@kit/terminal-protocol/console'
import type { ReactNode } from 'react'
import { Button } from '../shell/parts.tsx'
import { useWords } from '../words/words.ts'
import type { Key } from '../words/words.ts'
import type { GroupForm } from './use-group.ts'

type Row = { label: string; value: string; is_wrong: boolean; onChange: (value: string) => void; n: number }
type Props = { form: GroupForm; of: string; most: number; first: string; name: Key; renderRow: (row: Row) => ReactNode }

/** Rows of text that come and go; `first` is what a new one begins with. */
export function RowsField({ form, of, most, first, name, renderRow }: Props): ReactNode {
  const { t } = useWords()
  const value = form.value(of)
  const rows = Array.isArray(value) ? value : []
  const fault = form.fault(of)
  const put = (at: number, text: string) => form.set(of, rows.with(at, text))
  return (
    <div className="rows">
      {rows.map((text, at) => (
        <div className="row" key={at}>
          {renderRow({ label: t(name, { n: at + 1 }), value: text, n: at + 1, is_wrong: fault !== undefined && settingFault(of, [text]) !== undefined, onChange: changed => put(at, changed) })}
          <Button onClick={() => form.set(of, rows.toSpliced(at, 1))}>{t('do.remove')}<span className="hidden">{t(name, { n: at + 1 })}</span></Button>
        </div>
      ))}
      {fault !== undefined && <p className="fault" role="alert">{fault}</p>}
      {rows.length < most && <div><Button onClick={() => form.set(of, [...rows, first])}>{t('do.add')}</Button></div>}
    </div>
  )
}
