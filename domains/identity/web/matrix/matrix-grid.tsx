import { matrix_columns } from '@campus/identity/contract'
import type { MatrixModule, MatrixOp } from '@campus/identity/contract'
import { DownOutlined, RightOutlined } from '@ant-design/icons'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { cellLock, tickOf, turned, turnedAll } from './choice.ts'
import type { Choice } from './choice.ts'
import { CellBox } from './cell-box.tsx'
import { useGridKeys } from './use-grid-keys.ts'

const columns = Object.entries(matrix_columns).map(([key, label]) => ({ key, label }))

type Props = { modules: readonly MatrixModule[]; choice: Choice; choose: (choice: Choice) => void; locked: string | null }
type Closed = { closed: ReadonlySet<string>; fold: (module: string, close: boolean) => void }

/** Permissions of a role: modules and nouns as a tree, verbs as columns. Space turns a cell, arrows move, ← → on a module close and open it. */
export function MatrixGrid({ modules, choice, choose, locked }: Props): ReactNode {
  const table = useRef<HTMLTableElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const fold = (module: string, close: boolean) => setClosed(before => new Set(close ? [...before, module] : [...before].filter(one => one !== module)))
  const keys = useGridKeys(table, fold)
  return (
    <div className="matrix-card matrix-scroll">
      <table className="matrix-grid" data-locked={locked !== null} ref={table} aria-label="权限矩阵，空格键切换，方向键移动" {...keys}>
        <thead>
          <tr>
            <th scope="col">模块与功能</th>
            {columns.map(({ key, label }) => <th key={key} scope="col">{label}</th>)}
          </tr>
        </thead>
        <tbody>
          {modules.map(module => <ModuleRows key={module.code} module={module} modules={modules} choice={choice} choose={choose} locked={locked} closed={closed} fold={fold} />)}
        </tbody>
      </table>
    </div>
  )
}

type RowsProps = Props & Closed & { module: MatrixModule }

function ModuleRows({ module, modules, choice, choose, locked, closed, fold }: RowsProps): ReactNode {
  const is_closed = closed.has(module.code)
  const nouns = Map.groupBy(module.ops, op => op.noun)
  const given = module.ops.filter(op => choice.has(op.code)).length
  return (
    <>
      <tr className="matrix-module" data-module={module.code}>
        <th scope="row" colSpan={1 + columns.length}>
          <button type="button" className="matrix-fold" tabIndex={-1} aria-expanded={!is_closed} aria-label={`${is_closed ? '展开' : '收起'}${module.name}`} onClick={() => fold(module.code, !is_closed)}>
            {is_closed ? <RightOutlined aria-hidden /> : <DownOutlined aria-hidden />}
          </button>
          <GroupBox name={`${module.name}全部权限`} label={module.name} ops={module.ops} modules={modules} choice={choice} choose={choose} locked={locked} />
          <small>{given}/{module.ops.length}</small>
        </th>
      </tr>
      {!is_closed && [...nouns].map(([noun, ops]) => <NounRow key={noun} ops={ops} modules={modules} choice={choice} choose={choose} locked={locked} />)}
    </>
  )
}

function NounRow({ ops, ...shared }: Props & { ops: readonly MatrixOp[] }): ReactNode {
  const { modules, choice, choose, locked } = shared
  const [first] = ops
  const name = first?.noun_name ?? ''
  const pages = [...new Set(ops.flatMap(op => op.pages))].join('、')
  return (
    <tr className="matrix-noun">
      <th scope="row" title={pages === '' ? name : `${name}：${pages}`}><GroupBox name={`${name}整行`} label={name} ops={ops} {...shared} /></th>
      {columns.map(({ key, label }) => (
        <td key={key}>
          {ops.filter(op => op.column === key).map(op => (
            <CellBox
              key={op.code}
              name={`${op.noun_name} ${op.verb_name}`}
              label={op.verb_name === label ? null : op.verb_name}
              tick={choice.has(op.code) ? 'all' : 'none'}
              lock={locked ?? cellLock(modules, choice, op)}
              moved={choice.has(op.code) === op.granted ? null : choice.has(op.code) ? 'plus' : 'minus'}
              turn={() => choose(turned(modules, choice, [op.code], !choice.has(op.code)))}
            />
          ))}
        </td>
      ))}
    </tr>
  )
}

type GroupProps = Props & { name: string; label: string; ops: readonly MatrixOp[] }

/** The parent of some cells: given, partly given or not; turning it gives all that may be given. */
function GroupBox({ name, label, ops, modules, choice, choose, locked }: GroupProps): ReactNode {
  const none_free = ops.every(op => !op.grantable) ? '您没有这些权限，不能授予' : null
  return <CellBox name={name} label={label} tick={tickOf(ops, choice)} lock={locked ?? none_free} moved={null} turn={() => choose(turnedAll(modules, choice, ops))} />
}

