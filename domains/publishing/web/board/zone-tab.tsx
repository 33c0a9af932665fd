import { classBoardApi, contentApi, zone_module_names, zone_scopes } from '@campus/publishing/contract'
import type { ZoneValue } from '@campus/publishing/contract'
import { call, useCan, useDictionary } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Select, Table, Tag, TreeSelect } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTargets } from './use-choices.ts'

const scopes = Object.entries(zone_scopes).map(([value, label]) => ({ value: Number(value), label }))
const modules = Object.entries(zone_module_names).map(([value, label]) => ({ value, label }))
const names: Readonly<Record<string, string>> = zone_scopes
const [school, stage, grade, dept] = [1, 2, 3, 4] as const

/** 区域设置: what each zone shows of itself, from the whole school down to one board, with where a value comes from (chapter 60 §5). */
export function ZoneTab(): ReactNode {
  const [scope, setScope] = useState<number>(school)
  const [scope_id, setTarget] = useState<string | undefined>()
  const is_whole = scope === school || scope_id !== undefined
  const asked = scope === school || scope_id === undefined ? { scope } : { scope, scope_id }
  const query = useCall(contentApi.zones, asked, { enabled: is_whole })
  const { busy, act } = useAct([contentApi.zones])
  const may_edit = useCan(contentApi.saveZone)
  const save = ({ zone }: ZoneValue, module: string | null) => {
    const chosen = nameOf(module)
    void act(() => call(contentApi.saveZone, { ...asked, zone, module: chosen }, { quiet: true }), { done: '已保存，班牌将更新' })
  }
  const columns = columnsOf(save, may_edit && !busy)
  const choose = (value: number) => {
    setScope(value)
    setTarget(undefined)
  }
  return (
    <section className="brd-zones">
      <div className="brd-zone-of">
        <Select aria-label="范围" value={scope} options={scopes} onChange={choose} style={{ width: 120 }} />
        {scope !== school && <TargetSelect key={scope} scope={scope} value={scope_id} onChange={setTarget} />}
      </div>
      {is_whole ? (
        <Loaded query={query}>
          {({ list }) => <Table<ZoneValue> size="small" rowKey="zone" dataSource={list} columns={columns} pagination={false} />}
        </Loaded>
      ) : (
        <p className="pub-hint">请选择{names[String(scope)]}</p>
      )}
    </section>
  )
}

type Save = (row: ZoneValue, module: string | null) => void

function columnsOf(save: Save, may_save: boolean): TableColumnType<ZoneValue>[] {
  return [
    { title: '区域', dataIndex: 'title', width: 160 },
    {
      title: '显示内容',
      key: 'module',
      width: 220,
      render: (_, row) => (
        <Select
          className="kit-fill"
          aria-label={`${row.title}的显示内容`}
          disabled={!may_save}
          placeholder="按模板"
          value={row.module}
          options={modules}
          onChange={value => save(row, value)}
        />
      ),
    },
    { title: '来自', key: 'from', width: 120, render: (_, row) => <Tag>{row.from === null ? '模板' : names[row.from]}</Tag> },
    {
      title: '操作',
      key: 'acts',
      render: (_, row) =>
        row.is_own && may_save ? (
          <Button type="link" size="small" aria-label={`恢复继承 ${row.title}`} onClick={() => save(row, null)}>
            恢复继承
          </Button>
        ) : null,
    },
  ]
}

type ModuleName = NonNullable<ZoneValue['module']>
const isModule = (value: string): value is ModuleName => value in zone_module_names
const nameOf = (value: string | null): ModuleName | null => (value !== null && isModule(value) ? value : null)

type TargetProps = { scope: number; value: string | undefined; onChange: (value: string) => void }

function TargetSelect({ scope, value, onChange }: TargetProps): ReactNode {
  const { depts } = useTargets()
  const boards = useCall(classBoardApi.list, { page_size: 300 }, { enabled: useCan(classBoardApi.list) && scope > dept })
  const codes = useDictionary(scope === stage ? 'STAGE' : 'GRADE')
  const of_boards = (boards.data?.list ?? []).map(board => ({ value: board.device_id, label: board.device_name }))
  const shown = { 'aria-label': '对象', style: { width: 260 }, placeholder: `选择${names[String(scope)] ?? ''}` }
  if (scope === dept) return <TreeSelect {...shown} value={value ?? null} treeData={depts} onChange={id => id !== null && onChange(id)} />
  const options = scope === stage || scope === grade ? codes : of_boards
  return <Select {...shown} showSearch={{ optionFilterProp: 'label' }} value={value ?? null} options={options} onChange={id => id !== null && onChange(id)} />
}
