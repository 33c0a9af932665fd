import { dictionaryEditApi } from '@campus/school/contract'
import type { DictionaryType } from '@campus/school/contract'
import { Can, downloadFile, ImportButton, usePage } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button, Empty, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ItemDialog } from './item-dialog.tsx'
import type { OpenedItem } from './item-dialog.tsx'
import { useLoaded } from './use-loaded.tsx'

/** 字典: the types on the left, the items of the chosen one on the right; standard ones are only read. */
export function DictionaryTab(): ReactNode {
  const { search, setSearch } = usePage()
  const { data, instead, ready, refresh } = useLoaded(dictionaryEditApi.types, {})
  const [word, setWord] = useState('')
  if (!data) return <div className="record-card" data-ready={ready}>{instead}</div>
  const shown = data.list.filter(({ title, sc_code_type }) => title.includes(word.trim()) || sc_code_type.includes(word.trim().toUpperCase()))
  const chosen = data.list.find(({ sc_code_type }) => sc_code_type === search.type) ?? shown[0]
  return (
    <div className="record-dictionary" data-ready={ready}>
      <nav className="record-card" aria-label="字典类型">
        <Input.Search allowClear placeholder="查找字典类型" aria-label="查找字典类型" value={word} onChange={({ target }) => setWord(target.value)} />
        {shown.length === 0 && <Empty description="没有名称相符的字典类型" />}
        <ul>
          {shown.map(type => (
            <li key={type.sc_code_type}>
              <button type="button" ref={type === chosen ? intoView : undefined} aria-current={type === chosen} onClick={() => setSearch({ tab: 'dictionary', type: type.sc_code_type })}>
                <span>{type.title}</span>
                {type.own > 0 && <Tag color="blue">{`自定义${type.own}`}</Tag>}
                <small>{type.editable ? `${type.items}项` : `${type.items}项 标准`}</small>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {chosen && <Lines key={chosen.sc_code_type} type={chosen} onWritten={refresh} />}
    </div>
  )
}

/** A type that came with the address may stand far down the list. */
function intoView(button: HTMLButtonElement | null): void {
  button?.scrollIntoView({ block: 'nearest' })
}

function Lines({ type, onWritten }: { type: DictionaryType; onWritten: () => Promise<unknown> }): ReactNode {
  const { data, instead, refresh } = useLoaded(dictionaryEditApi.lines, { sc_code_type: type.sc_code_type })
  const [opened, setOpened] = useState<OpenedItem | null>(null)
  const written = async () => {
    setOpened(null)
    await Promise.all([refresh(), onWritten()])
  }
  return (
    <section className="record-card record-lines" aria-label={type.title}>
      <header>
        <h3>{type.title}</h3>
        <span className="record-hint">{type.editable ? '本校可改名、停用或新增；已使用的代码不会改变' : '国家或行业标准，只能查看'}</span>
        <ExportButton code={dictionaryEditApi.export} title={`导出字典：${type.title}`} total={data?.list.length} unit="项" run={() => downloadFile(dictionaryEditApi.export, { sc_code_type: type.sc_code_type }, { quiet: true })} />
        <ImportButton code="school.dict.import" template="dictionary_item" title="字典项导入" label="导入" unit="项" onApplied={() => void written()} />
        {type.editable && data && (
          <Can code={dictionaryEditApi.add}>
            <Button type="primary" onClick={() => setOpened({ type, line: null, next: data.list.length + 1 })}>新增</Button>
          </Can>
        )}
      </header>
      {data ? (
        <table>
          <thead><tr><th>代码</th><th>名称</th><th className="record-number">顺序</th><th>状态</th>{type.editable && <th>操作</th>}</tr></thead>
          <tbody>
            {data.list.map(line => (
              <tr key={line.sc_code_item} data-off={!line.enabled}>
                <td>{line.sc_code_item}</td>
                <td>{line.name}{line.standard_name !== null && line.standard_name !== line.name && <small>{`标准名称：${line.standard_name}`}</small>}</td>
                <td className="record-number">{line.order}</td>
                <td>{line.enabled ? <Tag color="green">启用</Tag> : <Tag>停用</Tag>}{line.own && <Tag color="blue">本校</Tag>}</td>
                {type.editable && <td><Can code={dictionaryEditApi.change}><Button type="link" size="small" aria-label={`编辑${line.name}`} onClick={() => setOpened({ type, line, next: line.order })}>编辑</Button></Can></td>}
              </tr>
            ))}
          </tbody>
        </table>
      ) : instead}
      {opened && <ItemDialog opened={opened} onClose={() => setOpened(null)} onSaved={written} />}
    </section>
  )
}
